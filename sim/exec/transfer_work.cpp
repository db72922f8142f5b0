#include "sim/exec/transfer_work.h"

#include <optional>
#include <unordered_map>

#include "sim/exec/engine_resources.h"
#include "sim/schedule/lane_index.h"
#include "sim/topology/routing.h"

namespace syncsim {
namespace {

std::vector<NodeId> nodes_of(const Schedule& schedule, const Topology& topology) {
  std::vector<NodeId> result;
  for (const std::string& participant : schedule.participants)
    result.push_back(topology.node(participant));
  return result;
}

}  // namespace

class TransferWork::LaneMaker {
 public:
  LaneMaker(TransferWork& work, const Topology& topology, const Resources& resources,
            const ExecutionOptions& options)
      : work_(work),
        resources_(resources),
        options_(options),
        router_(topology, resources, options.seed),
        nodes_(nodes_of(work.schedule_, topology)) {}

  std::uint32_t lane_of(const Op& op) {
    const std::uint32_t lane = index_.number(op);
    if (lane == kNone) return engine::kNoLane;
    if (lane == work_.lanes_.size()) add(op);
    return lane;
  }

 private:
  // Without channels every pair of nodes is met once, and remembering its route is wasted.
  void add(const Op& op) {
    const NodeId from = nodes_[op.source];
    const NodeId to = nodes_[op.destination];
    if (work_.schedule_.channels.size() == 1) {
      const Route route = router_.find(from, to, op.channel);
      return add_lane(op, route, new_routes(route, to));
    }
    const Route& route = router_.route(from, to, op.channel);
    const auto [known, added] = known_.try_emplace(&route);
    if (added) known->second = new_routes(route, to);
    add_lane(op, route, known->second);
  }

  void add_lane(const Op& op, const Route& route, const LaneRoutes& routes) {
    const Channel& channel = work_.schedule_.channels[op.channel];
    engine::Lane lane{route.latency, {}, channel.weight, channel.maximum_rate};
    if (op.source != op.destination) lane.overhead = options_.overhead + route.overhead;
    work_.lanes_.push_back(lane);
    work_.routes_.push_back(routes);
  }

  LaneRoutes new_routes(const Route& route, NodeId to) {
    const engine::RouteIndex copy = add_route(route, std::nullopt);
    const std::optional<ResourceId> adder = resources_.reduce(to);
    return {copy, adder ? add_route(route, adder) : copy};
  }

  engine::RouteIndex add_route(const Route& route, std::optional<ResourceId> adder) {
    uses_.clear();
    for (const ResourceUse& use : route.uses) uses_.push_back({use.resource, use.coefficient});
    if (adder) uses_.push_back({*adder, 1});
    return work_.network_.add_route(uses_);
  }

  TransferWork& work_;
  const Resources& resources_;
  const ExecutionOptions& options_;
  Router router_;
  std::vector<NodeId> nodes_;
  LaneIndex index_;
  // A route's destination fixes its reduce engine, so the route's address is key enough.
  std::unordered_map<const Route*, LaneRoutes> known_;
  std::vector<engine::Use> uses_;  // of the route being added, reused
};

TransferWork::TransferWork(const Schedule& schedule, const Topology& topology,
                           const Resources& resources, const ExecutionOptions& options)
    : schedule_(schedule), network_(capacities_of(resources)) {
  LaneMaker maker(*this, topology, resources, options);
  lane_of_.reserve(schedule.ops.size());
  for (const Op& op : schedule.ops) lane_of_.push_back(maker.lane_of(op));
}

}  // namespace syncsim
