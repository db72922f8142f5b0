#include "sim/cli/sweep/desk.h"

#include <fmt/format.h>

#include <iostream>
#include <utility>

#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"

namespace syncsim::cli {

SweepDesk::SweepDesk(Rows& rows, const SweepProgress& progress, bool draws, std::string file)
    : rows_(rows), progress_(progress), bar_(draws), file_(std::move(file)) {}

void SweepDesk::take(Outcome outcome) {
  using Kind = Outcome::Kind;
  if (outcome.kind == Kind::stopped) return;
  rows_.add(outcome.number, outcome.row);
  ++progress_.done;
  if (outcome.kind == Kind::refused) ++progress_.refused;
  if (outcome.kind == Kind::broken) ++broken_;
}

void SweepDesk::look() { bar_.look(progress_); }

void SweepDesk::give_up() {
  if (is_whole() || gave_up_) return;
  gave_up_ = true;
  bar_.end();
  std::cerr << fmt::format("syncsim: interrupted; {} of {} points are done{}\n", progress_.done,
                           progress_.points,
                           file_.empty() ? ""
                                         : fmt::format(" and in {}; the same command with --resume "
                                                       "goes on",
                                                       file_));
}

int SweepDesk::finish() {
  bar_.end();
  rows_.finish(is_whole());
  if (!is_whole()) return interrupted_exit_code();
  if (broken_ > 0) {
    std::cerr << fmt::format("syncsim: internal error: in {} of {} points; \"error\" says which\n",
                             broken_, progress_.points);
    return kInternalError;
  }
  if (progress_.refused == 0) return kGood;
  std::cerr << fmt::format("syncsim: {} of {} points are refused; \"error\" says why\n",
                           progress_.refused, progress_.points);
  return kBadInput;
}

}  // namespace syncsim::cli
