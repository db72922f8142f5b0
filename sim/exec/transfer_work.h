#pragma once
// A schedule on a machine, as the engine wants it: lanes with latencies and overheads, routes over
// resources. Beside the schedule it costs 4 bytes an op and what the lanes need. A transfer pays
// its links' overhead plus the run's, and keeps its channel's maximum rate; what stays at one
// participant (compute, local sums) does neither.

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "sim/base/large_vector.h"
#include "sim/engine/lane.h"
#include "sim/engine/network.h"
#include "sim/exec/executor.h"
#include "sim/schedule/schedule.h"
#include "sim/topology/resources.h"
#include "sim/topology/topology.h"

namespace syncsim {

// Models engine::run's Work. Keeps a reference to the schedule.
class TransferWork {
 public:
  TransferWork(const Schedule& schedule, const Topology& topology, const Resources& resources,
               const ExecutionOptions& options);

  const engine::Network& network() const { return network_; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(schedule_.ops.size()); }
  std::span<const std::uint32_t> successors(std::uint32_t op) const {
    return schedule_.successors(op);
  }
  std::uint32_t lane_count() const { return static_cast<std::uint32_t>(lanes_.size()); }
  const engine::Lane& lane(std::uint32_t lane) const { return lanes_[lane]; }
  std::uint32_t lane_of(std::uint32_t op) const { return lane_of_[op]; }
  engine::RouteIndex route_of(std::uint32_t op) const {
    const LaneRoutes& routes = routes_[lane_of_[op]];
    return schedule_.ops[op].kind == OpKind::reduce ? routes.reduce : routes.copy;
  }
  std::int64_t bytes_of(std::uint32_t op) const { return schedule_.bytes(schedule_.ops[op]).count; }
  std::int64_t duration_of(std::uint32_t op) const {
    const Op& self = schedule_.ops[op];
    return self.kind == OpKind::compute ? schedule_.durations[self.source_chunk].ps : 0;
  }
  std::int64_t release_of(std::uint32_t) const { return 0; }

  // Cpus that stage some transfer and whose transit is not known.
  const std::set<NodeId>& staged_freely() const { return staged_freely_; }

 private:
  struct LaneRoutes {
    engine::RouteIndex copy = 0;
    engine::RouteIndex reduce = 0;  // crosses the destination's reduce engine too, if it has one
  };
  class LaneMaker;

  const Schedule& schedule_;
  engine::Network network_;
  LargeVector<engine::Lane> lanes_;
  LargeVector<LaneRoutes> routes_;      // of each lane
  LargeVector<std::uint32_t> lane_of_;  // of each op
  std::set<NodeId> staged_freely_;
};

}  // namespace syncsim
