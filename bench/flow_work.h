#pragma once
// A graph of flows as the engine wants it: every flow on a lane of its own, so that only the edges
// order flows.

#include <cstdint>
#include <span>
#include <vector>

#include "bench/flow_graph.h"
#include "sim/engine/lane.h"
#include "sim/engine/network.h"

namespace syncsim::bench {

// Models engine::run's Work. Keeps a reference to the graph.
class FlowWork {
 public:
  explicit FlowWork(const FlowGraph& graph);

  const engine::Network& network() const { return network_; }
  std::uint32_t size() const { return graph_.size(); }
  std::span<const std::uint32_t> successors(std::uint32_t op) const {
    return graph_.successors(op);
  }
  std::uint32_t lane_count() const { return static_cast<std::uint32_t>(lanes_.size()); }
  const engine::Lane& lane(std::uint32_t lane) const { return lanes_[lane]; }
  std::uint32_t lane_of(std::uint32_t op) const { return lane_of_[op]; }
  engine::RouteIndex route_of(std::uint32_t op) const { return routes_[op]; }
  std::int64_t bytes_of(std::uint32_t op) const { return graph_[op].bytes; }
  std::int64_t duration_of(std::uint32_t op) const { return graph_[op].duration; }
  std::int64_t release_of(std::uint32_t op) const { return graph_[op].start; }

 private:
  const FlowGraph& graph_;
  engine::Network network_;
  std::vector<engine::Lane> lanes_;
  std::vector<std::uint32_t> lane_of_;
  std::vector<engine::RouteIndex> routes_;
};

}  // namespace syncsim::bench
