#include "sim/schedule/check_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/schedule/lane_order.h"

namespace syncsim::checking {
namespace {

constexpr std::size_t kMostNamed = 8;  // ops of a cycle named in full

// An op's edges ascend, so its first one tells.
bool all_edges_forward(const Schedule& schedule) {
  for (OpId from = 0; from < schedule.ops.size(); ++from) {
    const auto successors = schedule.successors(from);
    if (!successors.empty() && successors.front() <= from) return false;
  }
  return true;
}

// An op on one cycle with, for every op that never became ready, one it waits for in vain.
std::vector<OpId> walk_back(OpId from, const std::vector<OpId>& waits_for) {
  std::vector<bool> seen(waits_for.size());
  OpId op = from;
  for (; !seen[op]; op = waits_for[op]) seen[op] = true;
  std::vector<OpId> cycle{op};
  for (OpId before = waits_for[op]; before != op; before = waits_for[before])
    cycle.push_back(before);
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  return cycle;
}

std::string list(const Schedule& schedule, const std::vector<OpId>& cycle) {
  const bool whole = cycle.size() <= kMostNamed;
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const bool skipped = !whole && i >= kMostNamed / 2 && i < cycle.size() - kMostNamed / 2;
    if (skipped && i == kMostNamed / 2)
      text += fmt::format("({} more ops) -> ", cycle.size() - kMostNamed);
    if (!skipped) text += describe(schedule, cycle[i]) + " -> ";
  }
  return text + fmt::format("op {}", cycle.front());
}

}  // namespace

Order::Order(const Schedule& schedule)
    : schedule_(schedule), by_index_(all_edges_forward(schedule)) {
  if (!by_index_) sort();
}

void Order::link_lanes() { next_in_lane_ = next_in_lanes(schedule_); }

// Kahn's algorithm; `sequence_` is its queue.
void Order::sort() {
  link_lanes();
  const auto count = static_cast<OpId>(schedule_.ops.size());
  std::vector<std::uint32_t> waits(count);
  for (const OpId to : schedule_.edges) ++waits[to];
  for (const OpId next : next_in_lane_)
    if (next != kNone) ++waits[next];
  for (OpId id = 0; id < count; ++id)
    if (waits[id] == 0) sequence_.push_back(id);
  positions_.assign(count, kNone);
  const auto release = [&](OpId op) {
    if (--waits[op] == 0) sequence_.push_back(op);
  };
  for (std::uint32_t position = 0; position < sequence_.size(); ++position) {
    const OpId op = sequence_[position];
    positions_[op] = position;
    for (const OpId to : schedule_.successors(op)) release(to);
    if (next_in_lane_[op] != kNone) release(next_in_lane_[op]);
  }
}

Violation Order::cycle() const {
  const auto blocked = [&](OpId op) { return positions_[op] == kNone; };
  std::vector<OpId> waits_for(schedule_.ops.size(), kNone);
  OpId start = kNone;
  for (OpId id = 0; id < schedule_.ops.size(); ++id) {
    if (!blocked(id)) continue;
    if (start == kNone) start = id;
    const auto note = [&](OpId to) {
      if (waits_for[to] == kNone) waits_for[to] = id;
    };
    for (const OpId to : schedule_.successors(id)) note(to);
    if (next_in_lane_[id] != kNone) note(next_in_lane_[id]);
  }
  const std::vector<OpId> ops = walk_back(start, waits_for);
  return {Violation::Kind::cycle,
          fmt::format("ops wait for each other by edges and lanes, so that none can start: {}",
                      list(schedule_, ops)),
          kNone, kNone, ops.front()};
}

}  // namespace syncsim::checking
