#include "sim/schedule/check_exact.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace syncsim::checking {
namespace {

constexpr std::uint32_t kBits = 64;

// The lowest bit of `a` that is also in `b`, or with `flip` is not; kNone when there is none.
std::uint32_t first_common(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t flip,
                           std::size_t width) {
  for (std::size_t i = 0; i < width; ++i)
    if (const std::uint64_t common = a[i] & (b[i] ^ flip); common != 0)
      return static_cast<std::uint32_t>(i * kBits) +
             static_cast<std::uint32_t>(std::countr_zero(common));
  return kNone;
}

// Whether some bit is in both; without early exits, for vector instructions.
bool meet(const std::uint64_t* a, const std::uint64_t* b, std::size_t width) {
  std::uint64_t common = 0;
  for (std::size_t i = 0; i < width; ++i) common |= a[i] & b[i];
  return common != 0;
}

}  // namespace

ExactCheck::ExactCheck(const ChunkIds& ids, const Roles& roles)
    : ids_(ids),
      roles_(roles),
      width_((ids.schedule().ranks + std::size_t{kBits} - 1) / kBits),
      expected_(width_) {}

std::optional<Violation> ExactCheck::run(const Column& column) {
  start(column);
  for (const Column::Step& step : column.steps()) {
    if (step.kind == OpKind::compute) continue;
    if (column.has_relaxed()) pass_on_staleness(column, step);
    if (step.kind == OpKind::copy)
      copy(step);
    else if (auto violation = reduce(column, step))
      return violation;
  }
  for (const Column::Goal& goal : column.goals())
    if (auto violation = finish(column, goal)) return violation;
  return {};
}

void ExactCheck::fill(Word* set, RankSet ranks) const {
  std::fill_n(set, width_, 0);
  for (std::uint32_t rank = 0; rank < ids_.schedule().ranks; ++rank)
    if (ranks.contains(rank)) set[rank / kBits] |= Word{1} << rank % kBits;
}

void ExactCheck::start(const Column& column) {
  origins_.assign(column.cells().size(), kNone);
  stale_.assign(column.cells().size(), false);
  words_.resize(std::max(words_.size(), column.cells().size() * width_));
  for (const Column::Goal& goal : column.goals())
    for (std::uint32_t rank = 0; rank < ids_.schedule().ranks; ++rank) {
      if (!goal.role.contributors.contains(rank)) continue;
      const std::uint32_t cell = goal.first_cell + rank;
      origins_[cell] = goal.chunk;
      std::fill_n(set(cell), width_, 0);
      set(cell)[rank / kBits] = Word{1} << rank % kBits;
    }
}

void ExactCheck::pass_on_staleness(const Column& column, const Column::Step& step) {
  const bool stale = column.relaxed(step.source) || stale_[step.source];
  const bool kept = step.kind == OpKind::reduce && stale_[step.destination];
  stale_[step.destination] = stale || kept;
}

void ExactCheck::copy(const Column::Step& step) {
  origins_[step.destination] = origins_[step.source];
  if (!empty(step.source)) std::copy_n(set(step.source), width_, set(step.destination));
}

std::optional<Violation> ExactCheck::reduce(const Column& column, const Column::Step& step) {
  if (empty(step.source)) return {};
  if (empty(step.destination)) {
    copy(step);
    return {};
  }
  const Cell& cell = column.cells()[step.destination];
  const ChunkId added = origins_[step.source];
  const ChunkId present = origins_[step.destination];
  if (added != present)
    return ids_.violation(
        Violation::Kind::origin,
        fmt::format("{} holds values of {}, and values of {} are added to them; a "
                    "sum is of one chunk: {}",
                    ids_.name(cell), ids_.name(present), ids_.name(added), told(column, step)),
        cell, step.op);
  Word* const sum = set(step.destination);
  const Word* const addend = set(step.source);
  if (meet(sum, addend, width_)) return doubled(column, step);
  for (std::size_t i = 0; i < width_; ++i) sum[i] |= addend[i];
  return {};
}

// The op; where it adds a whole group's chunks, also whose this step adds.
std::string ExactCheck::told(const Column& column, const Column::Step& step) const {
  const Schedule& schedule = ids_.schedule();
  const std::string op = describe(schedule, step.op);
  if (!is_group(schedule.ops[step.op].source)) return op;
  return op + ", here from " + name_of(schedule, column.cells()[step.source].participant);
}

Violation ExactCheck::doubled(const Column& column, const Column::Step& step) {
  const Cell& cell = column.cells()[step.destination];
  const std::uint32_t twice = first_common(set(step.destination), set(step.source), 0, width_);
  return ids_.violation(Violation::Kind::doubled,
                        fmt::format("{} gets the contribution of {} to {} twice; a sum takes each "
                                    "once: {}",
                                    ids_.name(cell), name_of(ids_.schedule(), twice),
                                    ids_.name(origins_[step.destination]), told(column, step)),
                        cell, step.op);
}

bool ExactCheck::holds(std::uint32_t cell, const Column::Goal& goal) {
  return origins_[cell] == goal.chunk && std::equal(expected_.begin(), expected_.end(), set(cell));
}

std::optional<Violation> ExactCheck::finish(const Column& column, const Column::Goal& goal) {
  fill(expected_.data(), goal.role.contributors);
  for (std::uint32_t rank = 0; rank < ids_.schedule().ranks; ++rank) {
    const std::uint32_t cell = goal.first_cell + rank;
    if (!goal.role.holders.contains(rank) || holds(cell, goal)) continue;
    if (stale_[cell] && origins_[cell] == goal.chunk && applied_once(column, goal)) continue;
    return wrong(goal, rank);
  }
  return {};
}

bool ExactCheck::applied_once(const Column& column, const Column::Goal& goal) {
  for (std::uint32_t cell = 0; cell < column.cells().size(); ++cell)
    if (column.relaxed(cell) && holds(cell, goal)) return true;
  return false;
}

Violation ExactCheck::wrong(const Column::Goal& goal, std::uint32_t rank) {
  const std::uint32_t cell = goal.first_cell + rank;
  const Cell place{rank, goal.chunk};
  const Schedule& schedule = ids_.schedule();
  const std::string_view kind = to_string(roles_.collective(goal.chunk).kind);
  if (!empty(cell) && origins_[cell] != goal.chunk)
    return ids_.violation(Violation::Kind::origin,
                          fmt::format("{} ends with values of {}; {} must leave its own there",
                                      ids_.name(place), ids_.name(origins_[cell]), kind),
                          place);
  if (empty(cell)) std::fill_n(set(cell), width_, 0);
  const std::uint32_t missing = first_common(expected_.data(), set(cell), ~Word{0}, width_);
  return ids_.violation(
      Violation::Kind::missing,
      fmt::format("{} ends without the contribution of {}; {} needs those of {}", ids_.name(place),
                  name_of(schedule, missing), kind,
                  goal.role.contributors.only == kNone ? fmt::format("all {} ranks", schedule.ranks)
                                                       : name_of(schedule, missing)),
      place);
}

}  // namespace syncsim::checking
