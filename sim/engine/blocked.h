#pragma once
// What a run that can never end waits for (rule 8 of the engine). O(ops + lanes), once.

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/engine/clock.h"
#include "sim/engine/fair_share.h"
#include "sim/engine/network.h"
#include "sim/engine/outcome.h"
#include "sim/engine/run_state.h"

namespace syncsim::engine {

inline constexpr std::size_t kNamedBlocked = 16;

// Lanes finish in op order, so all ops from the head on are unfinished.
template <class Work>
bool finished(const RunState<Work>& state, const Work& work, std::uint32_t op) {
  const std::uint32_t lane = work.lane_of(op);
  return lane == kNoLane ? state.ops[op] >= 0 : op < state.lanes[lane].head;
}

// How many of the essential ops stall; the first are named. One over several resources of capacity
// 0 waits for each. Throws InputError when a flow does move, but too slowly for int64 picoseconds.
template <class Work>
std::uint64_t find_stalls(const RunState<Work>& state, const Network& network, const Work& work,
                          const FairShare& flows, std::uint32_t essential,
                          std::vector<Stall>& stalls) {
  std::uint64_t stalled = 0;
  for (std::uint32_t lane = 0; lane < state.lanes.size(); ++lane) {
    const std::uint32_t head = state.lanes[lane].head;
    if (state.lanes[lane].phase != LaneState::Phase::flowing || head >= essential) continue;
    if (flows.rate(lane) > 0) throw_time_overflow();
    ++stalled;
    for (const Use& use : network.route(work.route_of(head)))
      if (flows.capacity(use.resource) == 0 && stalls.size() < kNamedBlocked)
        stalls.push_back({head, use.resource});
  }
  return stalled;
}

template <class Work>
Deadlock deadlock(const RunState<Work>& state, const Network& network, const Work& work,
                  const FairShare& flows, std::uint32_t essential, std::uint64_t done) {
  std::vector<std::uint32_t> blocked;
  for (std::uint32_t op = 0; op < work.size() && blocked.size() < kNamedBlocked; ++op)
    if (!finished(state, work, op)) blocked.push_back(op);
  std::vector<Stall> stalls;
  const std::uint64_t stalled = find_stalls(state, network, work, flows, essential, stalls);
  return Deadlock(std::move(blocked), essential - done, std::move(stalls), stalled);
}

}  // namespace syncsim::engine
