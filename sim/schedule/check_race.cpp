#include "sim/schedule/check_race.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace syncsim::checking {

void RaceCheck::Group::clear() {
  ops.clear();
  follower = kNone;
}

void RaceCheck::Group::add(OpId op) {
  ops.push_back(op);
  follower = kNone;
}

void RaceCheck::History::clear() {
  writers.clear();
  readers.clear();
  base.clear();
  copied = false;
}

// What a copy would have to follow becomes the base, unless reduces are open already.
void RaceCheck::History::begin_reduces() {
  if (readers.empty() && !copied) return;
  std::swap(base, readers.empty() ? writers : readers);
  writers.clear();
  readers.clear();
  copied = false;
}

std::optional<Violation> RaceCheck::run(const Column& column) {
  if (history_.size() < column.cells().size()) history_.resize(column.cells().size());
  for (std::size_t cell = 0; cell < column.cells().size(); ++cell) history_[cell].clear();
  for (const auto& [op, source, destination] : column.steps()) {
    if (!column.relaxed(source))
      if (const auto conflict = read(history_[source], op))
        return violation(*conflict, column.cells()[source], op);
    if (column.relaxed(destination)) continue;
    const bool adds = ids_.schedule().ops[op].kind == OpKind::reduce;
    History& written = history_[destination];
    if (const auto conflict = adds ? reduce(written, op) : copy(written, op))
      return violation(*conflict, column.cells()[destination], op);
  }
  return {};
}

std::optional<RaceCheck::Conflict> RaceCheck::read(History& cell, OpId op) {
  if (const auto conflict = follows(cell.writers, op)) return conflict;
  cell.readers.add(op);
  return {};
}

std::optional<RaceCheck::Conflict> RaceCheck::reduce(History& cell, OpId op) {
  cell.begin_reduces();
  if (const auto conflict = follows(cell.base, op)) return conflict;
  cell.writers.add(op);
  return {};
}

std::optional<RaceCheck::Conflict> RaceCheck::copy(History& cell, OpId op) {
  if (const auto conflict = follows(cell.readers.empty() ? cell.writers : cell.readers, op))
    return conflict;
  cell.clear();
  cell.writers.add(op);
  cell.copied = true;
  return {};
}

// The first op of the group that does not surely come before `op`. Where many ops meet many, the
// group's follower spares comparing all pairs.
std::optional<RaceCheck::Conflict> RaceCheck::follows(Group& group, OpId op) {
  const OpId known = group.follower;
  if (known != kNone && (known == op || precedence_.directly(known, op))) return {};
  OpId through = kNone;
  for (const OpId earlier : group.ops) {
    const Precedence::Answer answer = precedence_.before(earlier, op);
    if (answer != Precedence::Answer::yes) return Conflict{earlier, answer};
    if (precedence_.last_step() != earlier) through = precedence_.last_step();
  }
  group.follower = through != kNone && all_lead_to(group, through) ? through : op;
  return {};
}

// A join between this group and many ops is found on the way from a member to one of those ops.
bool RaceCheck::all_lead_to(const Group& group, OpId join) const {
  return std::all_of(group.ops.begin(), group.ops.end(),
                     [&](OpId op) { return precedence_.directly(op, join); });
}

Violation RaceCheck::violation(const Conflict& conflict, const Cell& cell, OpId op) const {
  const Schedule& schedule = ids_.schedule();
  const std::string earlier = describe(schedule, conflict.earlier);
  const std::string later = describe(schedule, op);
  if (conflict.answer == Precedence::Answer::budget_spent)
    return ids_.violation(
        Violation::Kind::budget,
        fmt::format("{}: the order of two ops could not be proved within {} steps, so the schedule "
                    "is refused; add an edge from one to the other: {}; {}",
                    ids_.name(cell), budget_, earlier, later),
        cell, op);
  return ids_.violation(
      Violation::Kind::race,
      fmt::format("race on {}: {} by one op and {} by another, and no edges or lanes order them: "
                  "{}; {}",
                  ids_.name(cell), access(conflict.earlier, cell), access(op, cell), earlier,
                  later),
      cell, op);
}

std::string_view RaceCheck::access(OpId id, const Cell& cell) const {
  const Op& op = ids_.schedule().ops[id];
  const ChunkId first = ids_.id(op.destination_buffer, op.destination_chunk);
  const bool writes = op.destination == cell.participant && cell.chunk >= first &&
                      cell.chunk - first < op.chunk_count;
  if (!writes) return "read";
  return op.kind == OpKind::reduce ? "added to" : "overwritten";
}

}  // namespace syncsim::checking
