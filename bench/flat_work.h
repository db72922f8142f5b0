#pragma once
// A Work for the engine made by hand: ops with their lanes, sizes, release times and edges, all in
// flat arrays. For benchmarks of traffic that no strategy emits.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/lane.h"
#include "sim/engine/network.h"

namespace syncsim::bench {

class FlatWork {
 public:
  explicit FlatWork(engine::Network network) : network_(std::move(network)) {}

  std::uint32_t add_lane(const engine::Lane& lane) {
    lanes_.push_back(lane);
    return static_cast<std::uint32_t>(lanes_.size() - 1);
  }
  std::uint32_t transfer(std::uint32_t lane, engine::RouteIndex route, std::int64_t bytes,
                         std::int64_t release = 0) {
    ops_.push_back({lane, route, bytes, release});
    return static_cast<std::uint32_t>(ops_.size() - 1);
  }
  std::uint32_t join() { return transfer(engine::kNoLane, 0, 0); }
  void edge(std::uint32_t from, std::uint32_t to) { edges_.push_back({from, to}); }
  // Sorts the edges; before the work is run.
  void finish();

  const engine::Network& network() const { return network_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(ops_.size()); }
  std::span<const std::uint32_t> successors(std::uint32_t op) const {
    return std::span(successors_).subspan(begin_[op], begin_[op + 1] - begin_[op]);
  }
  std::uint32_t lane_count() const { return static_cast<std::uint32_t>(lanes_.size()); }
  const engine::Lane& lane(std::uint32_t lane) const { return lanes_[lane]; }
  std::uint32_t lane_of(std::uint32_t op) const { return ops_[op].lane; }
  engine::RouteIndex route_of(std::uint32_t op) const { return ops_[op].route; }
  std::int64_t bytes_of(std::uint32_t op) const { return ops_[op].bytes; }
  std::int64_t duration_of(std::uint32_t) const { return 0; }
  std::int64_t release_of(std::uint32_t op) const { return ops_[op].release; }

 private:
  struct Op {
    std::uint32_t lane;
    engine::RouteIndex route;
    std::int64_t bytes;
    std::int64_t release;
  };
  struct Edge {
    std::uint32_t from;
    std::uint32_t to;
  };

  engine::Network network_;
  std::vector<engine::Lane> lanes_;
  std::vector<Op> ops_;
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> successors_;
};

}  // namespace syncsim::bench
