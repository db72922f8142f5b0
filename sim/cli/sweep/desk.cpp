#include "sim/cli/sweep/desk.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"

namespace syncsim::cli {

using std::chrono::milliseconds;

SweepDesk::SweepDesk(Rows& rows, const SweepProgress& progress, bool draws, std::string file)
    : rows_(rows),
      progress_(progress),
      line_(STDERR_FILENO),
      draws_(draws && line_.is_terminal()),
      started_(Clock::now()),
      next_draw_(started_ + milliseconds(500)),
      file_(std::move(file)) {}

void SweepDesk::take(Outcome outcome) {
  using Kind = Outcome::Kind;
  if (outcome.kind == Kind::stopped) return;
  if (outcome.kind == Kind::too_large) return too_large_.push_back(outcome.number);
  rows_.add(outcome.number, outcome.row);
  ++progress_.done;
  if (outcome.kind == Kind::refused) ++progress_.refused;
  if (outcome.kind == Kind::broken) ++broken_;
}

void SweepDesk::look() {
  const Clock::time_point now = Clock::now();
  if (!draws_ || now < next_draw_) return;
  progress_.seconds = std::chrono::duration<double>(now - started_).count();
  line_.show(progress_text(progress_, line_.width()));
  next_draw_ = now + milliseconds(100);
}

void SweepDesk::give_up() {
  if (is_whole() || gave_up_) return;
  gave_up_ = true;
  line_.wipe();
  draws_ = false;
  std::cerr << fmt::format("syncsim: interrupted; {} of {} points are done{}\n", progress_.done,
                           progress_.points,
                           file_.empty() ? ""
                                         : fmt::format(" and in {}; the same command with --resume "
                                                       "goes on",
                                                       file_));
}

int SweepDesk::finish() {
  line_.wipe();
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

std::vector<std::size_t> SweepDesk::too_large() const {
  std::vector<std::size_t> sorted = too_large_;
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace syncsim::cli
