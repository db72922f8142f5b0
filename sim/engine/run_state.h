#pragma once
// What a run keeps of every op (12 bytes) and every lane (at most 52); built once, before the first
// event, in O(ops + edges + uses of the lanes' routes).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/large_vector.h"
#include "sim/engine/lane.h"
#include "sim/engine/network.h"
#include "sim/engine/reach_counter.h"

namespace syncsim::engine {

inline constexpr std::uint32_t kNoOp = 0xffffffffu;

struct LaneState {
  enum class Phase : std::uint8_t { waiting, starting, computing, flowing };

  std::uint32_t head = kNoOp;  // its first unfinished op
  Phase phase = Phase::waiting;
  std::int64_t free_at = 0;  // end of the previous op
  std::int64_t started = 0;  // of the head
};

void require_valid(const Lane& lane);

// The audit of delivery: a flow that ends has carried the op's bytes, to rate x 1 ps + 1e-9.
void require_delivered(std::uint32_t op, std::int64_t bytes, double left, double rate);

template <class Work>
struct RunState {
  RunState(const Network& network, const Work& work);

  LargeVector<std::int64_t> ops;            // negative: minus the dependencies left; else ready
  LargeVector<std::uint32_t> next_in_lane;  // kNoOp at its end
  LargeVector<LaneState> lanes;
  std::uint32_t join_count = 0;
  std::vector<std::uint32_t> timed_joins;  // joins that are released by the clock, ascending
  std::vector<std::uint32_t> most_uses;    // longest route of each lane
  std::vector<std::uint32_t> most_flows;   // on each resource at once

 private:
  void count_dependencies(const Work& work);
  void link_lanes(const Work& work);
  void measure_routes(const Network& network, const Work& work);
};

template <class Work>
RunState<Work>::RunState(const Network& network, const Work& work)
    : ops(work.size(), 0), next_in_lane(work.size(), kNoOp), lanes(work.lane_count()) {
  for (std::uint32_t lane = 0; lane < work.lane_count(); ++lane) require_valid(work.lane(lane));
  count_dependencies(work);
  link_lanes(work);
  measure_routes(network, work);
}

template <class Work>
void RunState<Work>::count_dependencies(const Work& work) {
  for (std::uint32_t op = 0; op < work.size(); ++op) {
    for (const std::uint32_t successor : work.successors(op)) {
      require(successor < work.size(), "an edge leads to an op that is not there");
      --ops[successor];
    }
  }
}

// Backwards, so that each op finds the one after it at the head of its lane.
template <class Work>
void RunState<Work>::link_lanes(const Work& work) {
  for (std::uint32_t op = work.size(); op-- > 0;) {
    const std::uint32_t lane = work.lane_of(op);
    require(work.release_of(op) >= 0, "an op is released before time 0");
    if (lane == kNoLane) {
      ++join_count;
      if (work.release_of(op) > 0) timed_joins.push_back(op);
      continue;
    }
    require(lane < lanes.size(), "an op is on a lane that is not there");
    next_in_lane[op] = lanes[lane].head;
    lanes[lane].head = op;
  }
  std::reverse(timed_joins.begin(), timed_joins.end());
}

template <class Work>
void require_valid_cost(const Work& work, std::uint32_t op) {
  const std::int64_t bytes = work.bytes_of(op);
  require(bytes >= 0, "an op has less than no bytes");
  require(bytes > 0 || work.duration_of(op) >= 0, "an op takes less than no time");
}

// In op order, which is memory's; most lanes keep to one route. Those that do not are walked again,
// so that each counts once on every resource.
template <class Work>
void RunState<Work>::measure_routes(const Network& network, const Work& work) {
  constexpr RouteIndex kNoRoute = 0xffffffffu;
  ReachCounter reach(network);
  std::vector<RouteIndex> only(lanes.size(), kNoRoute);
  std::vector<bool> several(lanes.size(), false);
  most_uses.assign(lanes.size(), 0);
  for (std::uint32_t op = 0; op < work.size(); ++op) {
    const std::uint32_t lane = work.lane_of(op);
    if (lane == kNoLane) continue;
    require_valid_cost(work, op);
    if (work.bytes_of(op) == 0) continue;
    const RouteIndex route = work.route_of(op);
    if (only[lane] == route) continue;
    require(route < network.route_count(), "an op takes a route that is not there");
    several[lane] = only[lane] != kNoRoute;
    only[lane] = route;
    most_uses[lane] =
        std::max(most_uses[lane], static_cast<std::uint32_t>(network.route(route).size()));
  }
  for (std::uint32_t lane = 0; lane < lanes.size(); ++lane) {
    if (!several[lane] && only[lane] != kNoRoute) reach.add(lane, only[lane]);
    for (std::uint32_t op = lanes[lane].head; several[lane] && op != kNoOp; op = next_in_lane[op])
      if (work.bytes_of(op) > 0) reach.add(lane, work.route_of(op));
  }
  most_flows = reach.lanes_on();
}

}  // namespace syncsim::engine
