#include "sim/schedule/check_race.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"
#include "sim/schedule/op_ends.h"

namespace syncsim::checking {

// What a copy would have to follow becomes the base, unless reduces are open already.
void RaceCheck::History::begin_reduces() {
  if (readers.empty() && !copied) return;
  const Group& last = readers.empty() ? writers : readers;
  base.steps = last.steps;
  base.follower = last.follower;
  writers.clear();
  readers.clear();
  copied = false;
}

std::optional<Violation> RaceCheck::run(const Column& column) {
  history_.assign(column.cells().size(), {});
  sets_.clear();
  steps_ = column.steps();
  require(steps_.size() <= OpSets::kFirstList, "a column of more than 2147483648 transfers");
  for (StepId step = 0; step < steps_.size(); ++step) {
    const auto& [op, source, destination, kind, next] = steps_[step];
    if (kind == OpKind::compute) {
      if (!column.relaxed(source) && !compute(history_[source], step))
        return violation(column.cells()[source], op);
      continue;
    }
    if (!column.relaxed(source) && !read(history_[source], step))
      return violation(column.cells()[source], op);
    if (column.relaxed(destination)) continue;
    History& written = history_[destination];
    if (!(kind == OpKind::reduce ? reduce(written, step) : copy(written, step)))
      return violation(column.cells()[destination], op);
  }
  return {};
}

bool RaceCheck::read(History& cell, StepId step) {
  if (!follows(cell.writers, steps_[step].op)) return false;
  add(cell.readers, step);
  return true;
}

bool RaceCheck::reduce(History& cell, StepId step) {
  cell.begin_reduces();
  if (!follows(cell.base, steps_[step].op)) return false;
  add(cell.writers, step);
  return true;
}

bool RaceCheck::copy(History& cell, StepId step) {
  if (!follows(cell.readers.empty() ? cell.writers : cell.readers, steps_[step].op)) return false;
  cell.readers.clear();
  cell.base.clear();
  cell.writers.clear();
  add(cell.writers, step);
  cell.copied = true;
  return true;
}

bool RaceCheck::compute(History& cell, StepId step) {
  const OpId op = steps_[step].op;
  const Access access = ids_.schedule().ops[op].access;
  if (access == Access::reads) return read(cell, step);
  if (access == Access::modifies || cell.untouched()) return copy(cell, step);
  const Group& touched = cell.readers.empty() ? cell.writers : cell.readers;
  members_.clear();
  sets_.append_to(members_, touched.steps);
  conflict_ = {steps_[members_.front()].op, Precedence::Answer::no};
  return false;
}

// Whether every op of the group surely comes before `op`. Where many ops meet many, the group's
// follower spares comparing all pairs.
bool RaceCheck::follows(Group& group, OpId op) {
  if (group.empty()) return true;
  const OpId known = group.follower;
  if (known != kNone && (known == op || precedence_.directly(known, op))) return true;
  if (!OpSets::is_single(group.steps) || !steps_[group.steps].leads_to(op))
    return all_before(group, op);
  group.follower = op;
  return true;
}

// Notes the first one that does not. A join between this group and many ops is found on the way
// from a member to one of those ops.
bool RaceCheck::all_before(Group& group, OpId op) {
  members_.clear();
  sets_.append_to(members_, group.steps);
  OpId through = kNone;
  for (const StepId step : members_) {
    const OpId earlier = steps_[step].op;
    if (steps_[step].leads_to(op)) continue;
    conflict_ = {earlier, precedence_.before(earlier, op)};
    if (conflict_.answer != Precedence::Answer::yes) return false;
    if (precedence_.last_step() != earlier) through = precedence_.last_step();
  }
  const auto leads_to_it = [&](StepId step) {
    return steps_[step].leads_to(through) || precedence_.directly(steps_[step].op, through);
  };
  const bool join = through != kNone && std::all_of(members_.begin(), members_.end(), leads_to_it);
  group.follower = join ? through : op;
  return true;
}

Violation RaceCheck::violation(const Cell& cell, OpId op) const {
  const Schedule& schedule = ids_.schedule();
  const std::string earlier = describe(schedule, conflict_.earlier);
  const std::string later = describe(schedule, op);
  if (conflict_.answer == Precedence::Answer::budget_spent)
    return ids_.violation(
        Violation::Kind::budget,
        fmt::format("{}: the order of two ops could not be proved within {} steps, so the schedule "
                    "is refused; add an edge from one to the other: {}; {}",
                    ids_.name(cell), budget_, earlier, later),
        cell, op);
  const Op& conflicting = schedule.ops[op];
  if (conflicting.access == Access::produces)
    return ids_.violation(Violation::Kind::race,
                          fmt::format("{} is made after another op touched it: {}; {}",
                                      ids_.name(cell), earlier, later),
                          cell, op);
  return ids_.violation(
      Violation::Kind::race,
      fmt::format("race on {}: {} by one op and {} by another, and no edges or lanes order them: "
                  "{}; {}",
                  ids_.name(cell), access(conflict_.earlier, cell), access(op, cell), earlier,
                  later),
      cell, op);
}

std::string_view RaceCheck::access(OpId id, const Cell& cell) const {
  const Op& op = ids_.schedule().ops[id];
  if (op.access == Access::reads) return "read";
  if (op.access != Access::none) return op.access == Access::produces ? "made" : "changed";
  const ChunkId first = ids_.id(op.destination_buffer, op.destination_chunk);
  const bool to_it = cell.chunk >= first && cell.chunk - first < op.chunk_count;
  bool writes = false;
  each_way(ids_.schedule().groups, op, [&](ParticipantId, ParticipantId destination) {
    writes = writes || (to_it && destination == cell.participant);
  });
  if (!writes) return "read";
  return op.kind == OpKind::reduce ? "added to" : "overwritten";
}

}  // namespace syncsim::checking
