#include "sim/exec/transfer_work.h"

#include <optional>
#include <unordered_map>

#include "sim/exec/engine_resources.h"
#include "sim/exec/op_routes.h"
#include "sim/schedule/lane_index.h"

namespace syncsim {

class TransferWork::LaneMaker {
 public:
  LaneMaker(TransferWork& work, const Topology& topology, const Resources& resources,
            const ExecutionOptions& options)
      : work_(work),
        resources_(resources),
        options_(options),
        op_routes_(work.schedule_, topology, resources, options.seed) {}

  // Numbers the lanes first, so that what is kept of them need not grow.
  void make() {
    const auto& ops = work_.schedule_.ops;
    work_.lane_of_.reserve(ops.size());
    LaneIndex index;
    for (const Op& op : ops) work_.lane_of_.push_back(index.number(op));
    work_.lanes_.reserve(index.count());
    work_.routes_.reserve(index.count());
    for (std::size_t op = 0; op < ops.size(); ++op)
      if (work_.lane_of_[op] == work_.lanes_.size()) add(ops[op]);
  }

 private:
  static_assert(kNone == engine::kNoLane);

  // The tree of a group has the adders on its way already.
  void add_tree(const Op& op) {
    const Route& route = op_routes_.of(op);
    const auto [known, added] = known_.try_emplace(&route);
    if (added) {
      work_.staged_freely_.insert(route.staged_freely.begin(), route.staged_freely.end());
      const engine::RouteIndex index = add_route(route, std::nullopt);
      known->second = {index, index};
    }
    add_lane(op, route, known->second);
  }

  // Without channels every pair of nodes is met once, and remembering its route is wasted.
  void add(const Op& op) {
    if (has_group(op)) return add_tree(op);
    const NodeId to = op_routes_.node(op.destination);
    if (work_.schedule_.channels.size() == 1) {
      const Route route = op_routes_.find(op);
      if (work_.lanes_.empty()) expect_like(route);
      return add_lane(op, route, new_routes(route, to));
    }
    const Route& route = op_routes_.of(op);
    const auto [known, added] = known_.try_emplace(&route);
    if (added) known->second = new_routes(route, to);
    add_lane(op, route, known->second);
  }

  // On most machines routes are about as long as the first.
  void expect_like(const Route& route) {
    const std::size_t routes = work_.lanes_.capacity();
    work_.network_.expect(routes, routes * route.uses.size());
  }

  void add_lane(const Op& op, const Route& route, const LaneRoutes& routes) {
    const Channel& channel = work_.schedule_.channels[op.channel];
    engine::Lane lane{route.latency, {}, channel.weight, 0};
    if (op.source != op.destination) {
      lane.overhead = options_.overhead + route.overhead;
      lane.maximum_rate = channel.maximum_rate;
    }
    work_.lanes_.push_back(lane);
    work_.routes_.push_back(routes);
  }

  LaneRoutes new_routes(const Route& route, NodeId to) {
    work_.staged_freely_.insert(route.staged_freely.begin(), route.staged_freely.end());
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
  OpRoutes op_routes_;
  // A route's destination fixes its reduce engine, so the route's address is key enough.
  std::unordered_map<const Route*, LaneRoutes> known_;
  std::vector<engine::Use> uses_;  // of the route being added, reused
};

TransferWork::TransferWork(const Schedule& schedule, const Topology& topology,
                           const Resources& resources, const ExecutionOptions& options)
    : schedule_(schedule), network_(capacities_of(resources)) {
  LaneMaker(*this, topology, resources, options).make();
}

}  // namespace syncsim
