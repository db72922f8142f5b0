#include "sim/schedule/late_start.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/schedule/op_ends.h"

namespace syncsim {
namespace {

struct Late {
  ParticipantId rank;
  Time start;
  std::vector<OpId> first;  // ops that nothing else at the rank goes before
};

std::vector<Late> late_ranks(const Schedule& schedule, const std::map<int, Time>& starts) {
  std::vector<Late> late;
  for (const auto& [rank, start] : starts) {
    require(rank >= 0 && std::cmp_less(rank, schedule.ranks) && start.ps >= 0,
            "a late start is of a rank, at 0 or later");
    if (start.ps > 0) late.push_back({static_cast<ParticipantId>(rank), start, {}});
  }
  return late;
}

// The ops that touch the rank and wait for no op that does.
void find_first(const Schedule& schedule, Late& late) {
  std::vector<bool> waits(schedule.ops.size());
  for (OpId op = 0; op < schedule.ops.size(); ++op) {
    if (!touches(schedule.groups, schedule.ops[op], late.rank)) continue;
    for (const OpId next : schedule.successors(op)) waits[next] = true;
  }
  for (OpId op = 0; op < schedule.ops.size(); ++op)
    if (!waits[op] && touches(schedule.groups, schedule.ops[op], late.rank))
      late.first.push_back(op);
}

Op waiting(Schedule& schedule, const Late& late, std::size_t first_edge) {
  Op op;
  op.kind = OpKind::compute;
  op.source = op.destination = late.rank;
  op.source_chunk = static_cast<std::uint32_t>(schedule.durations.size());
  op.successors = static_cast<std::uint32_t>(first_edge);
  schedule.durations.push_back(late.start);
  return op;
}

}  // namespace

Schedule start_late(Schedule schedule, const std::map<int, Time>& starts) {
  std::vector<Late> late = late_ranks(schedule, starts);
  if (late.empty()) return schedule;
  for (Late& rank : late) find_first(schedule, rank);
  schedule.phases.insert(schedule.phases.begin(), kLateStartPhase);
  if (schedule.channels.empty()) schedule.channels.emplace_back();  // of a schedule without ops
  const auto shift = static_cast<OpId>(late.size());
  LargeVector<Op> ops;
  LargeVector<OpId> edges;
  ops.reserve(schedule.ops.size() + shift);
  for (const Late& rank : late) {
    ops.push_back(waiting(schedule, rank, edges.size()));
    for (const OpId op : rank.first) edges.push_back(op + shift);
  }
  const auto added = static_cast<std::uint32_t>(edges.size());
  for (Op op : schedule.ops) {
    op.successors += added;
    ++op.phase;
    ops.push_back(op);
  }
  edges.reserve(edges.size() + schedule.edges.size());
  for (const OpId next : schedule.edges) edges.push_back(next + shift);
  schedule.ops = std::move(ops);
  schedule.edges = std::move(edges);
  return schedule;
}

}  // namespace syncsim
