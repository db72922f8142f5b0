#include "sim/exec/transfer_work.h"

#include <unordered_map>

#include "sim/schedule/lane_index.h"
#include "sim/topology/routing.h"

namespace syncsim {
namespace {

std::vector<double> capacities(const Resources& resources) {
  std::vector<double> result;
  for (const Resource& resource : resources.all()) result.push_back(resource.capacity);
  return result;
}

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
  void add(const Op& op) {
    const NodeId to = nodes_[op.destination];
    const Route& route = router_.route(nodes_[op.source], to, op.channel);
    const Channel& channel = work_.schedule_.channels[op.channel];
    engine::Lane lane{route.latency, {}, channel.weight, channel.maximum_rate};
    if (op.source != op.destination) lane.overhead = options_.overhead + route.overhead;
    work_.lanes_.push_back(lane);
    const engine::RouteIndex copy = interned(route, std::nullopt);
    const std::optional<ResourceId> adder = resources_.reduce(to);
    work_.routes_.push_back({copy, adder ? interned(route, adder) : copy});
  }

  engine::RouteIndex interned(const Route& route, std::optional<ResourceId> adder) {
    auto& known = adder ? adding_routes_ : routes_;
    if (const auto found = known.find(&route); found != known.end()) return found->second;
    std::vector<engine::Use> uses;
    for (const ResourceUse& use : route.uses) uses.push_back({use.resource, use.coefficient});
    if (adder) uses.push_back({*adder, 1});
    return known[&route] = work_.network_.add_route(uses);
  }

  TransferWork& work_;
  const Resources& resources_;
  const ExecutionOptions& options_;
  Router router_;
  std::vector<NodeId> nodes_;
  LaneIndex index_;
  // A route's destination fixes its adder, so the route's address is key enough.
  std::unordered_map<const Route*, engine::RouteIndex> routes_;
  std::unordered_map<const Route*, engine::RouteIndex> adding_routes_;
};

TransferWork::TransferWork(const Schedule& schedule, const Topology& topology,
                           const Resources& resources, const ExecutionOptions& options)
    : schedule_(schedule), network_(capacities(resources)) {
  LaneMaker maker(*this, topology, resources, options);
  lane_of_.reserve(schedule.ops.size());
  for (const Op& op : schedule.ops) lane_of_.push_back(maker.lane_of(op));
}

}  // namespace syncsim
