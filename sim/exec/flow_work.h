#pragma once
// Plain traffic on a machine, as the engine wants it: one op and one lane a flow. With o = its
// links' overhead plus the run's and L = the latency of its route, a flow alone takes
//   o + L + bytes / (least capacity / coefficient of its route),
// and among others what max-min fair sharing leaves it: its finish is when its last byte arrives.
//
// A flow takes the one route of its pair (routing.h, channel 0); with `via` the route to that node
// and the one on from there, as one: coefficients and latencies add up, the larger overhead counts,
// and the node's transit bandwidth is used. A flow from a node to itself takes the run's overhead.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/lane.h"
#include "sim/engine/network.h"
#include "sim/exec/traffic.h"
#include "sim/topology/resources.h"
#include "sim/topology/topology.h"

namespace syncsim {

// Models engine::run's Work. Keeps a reference to the traffic.
class FlowWork {
 public:
  // `overhead` is added to each flow's own; `seed` picks among equal-cost routes. Throws InputError
  // at a flow's line when it has no route.
  FlowWork(const Traffic& traffic, const Topology& topology, const Resources& resources,
           Time overhead, std::uint32_t seed);

  const engine::Network& network() const { return network_; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(lanes_.size()); }
  std::span<const std::uint32_t> successors(std::uint32_t) const { return {}; }
  std::uint32_t lane_count() const { return size(); }
  const engine::Lane& lane(std::uint32_t lane) const { return lanes_[lane]; }
  std::uint32_t lane_of(std::uint32_t op) const { return op; }
  engine::RouteIndex route_of(std::uint32_t op) const { return routes_[op]; }
  std::int64_t bytes_of(std::uint32_t op) const { return traffic_.flows[op].bytes.count; }
  std::int64_t duration_of(std::uint32_t) const { return 0; }
  std::int64_t release_of(std::uint32_t op) const { return traffic_.flows[op].start.ps; }

  // From its start to its finish, were it alone on the machine.
  Time alone(std::uint32_t op) const;

 private:
  class RouteMaker;

  const Traffic& traffic_;
  engine::Network network_;
  std::vector<engine::Lane> lanes_;         // of each flow
  std::vector<engine::RouteIndex> routes_;  // of each flow; equal ways share one
};

}  // namespace syncsim
