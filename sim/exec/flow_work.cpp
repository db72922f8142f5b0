#include "sim/exec/flow_work.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "sim/base/error.h"
#include "sim/engine/clock.h"
#include "sim/exec/engine_resources.h"
#include "sim/topology/routing.h"

namespace syncsim {
namespace {

struct Way {
  NodeId source = 0;
  NodeId destination = 0;
  NodeId via = 0;  // the source: none
  friend bool operator==(const Way&, const Way&) = default;
};

struct WayHash {
  std::size_t operator()(const Way& way) const {
    constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
    const std::uint64_t ends = (std::uint64_t{way.source} << 32) | way.destination;
    return (ends ^ (std::uint64_t{way.via} << 16)) * kGoldenRatio >> 16;
  }
};

// A node that the flow is at anyway need not be passed.
Way way_of(const Flow& flow) {
  const bool passes = flow.via && *flow.via != flow.destination;
  return {flow.source, flow.destination, passes ? *flow.via : flow.source};
}

// Coefficients of a resource that is used twice add up.
void add_uses(const std::vector<ResourceUse>& more, std::vector<engine::Use>& uses) {
  for (const ResourceUse& use : more) {
    const auto same = [&](const engine::Use& known) { return known.resource == use.resource; };
    const auto known = std::find_if(uses.begin(), uses.end(), same);
    if (known == uses.end()) {
      uses.push_back({use.resource, use.coefficient});
    } else {
      known->coefficient += use.coefficient;
    }
  }
}

}  // namespace

class FlowWork::RouteMaker {
 public:
  RouteMaker(engine::Network& network, const Topology& topology, const Resources& resources,
             std::uint32_t seed)
      : network_(network), resources_(resources), router_(topology, resources, seed) {}

  struct Made {
    engine::RouteIndex route = 0;
    Time latency;
    Time overhead;
  };

  const Made& of(const Way& way) {
    const auto [known, added] = made_.try_emplace(way);
    if (added) known->second = make(way);
    return known->second;
  }

 private:
  Made make(const Way& way) {
    uses_.clear();
    Made made;
    if (way.via != way.source) {
      add_leg(way.source, way.via, made);
      if (const auto transit = resources_.transit(way.via)) add_uses({{*transit, 1}}, uses_);
    }
    add_leg(way.via, way.destination, made);
    made.route = network_.add_route(uses_);
    return made;
  }

  void add_leg(NodeId from, NodeId to, Made& made) {
    const Route leg = router_.find(from, to);
    add_uses(leg.uses, uses_);
    made.latency = {engine::later(made.latency.ps, leg.latency.ps)};
    made.overhead = std::max(made.overhead, leg.overhead);
  }

  engine::Network& network_;
  const Resources& resources_;
  Router router_;
  std::unordered_map<Way, Made, WayHash> made_;
  std::vector<engine::Use> uses_;  // of the route being made, reused
};

FlowWork::FlowWork(const Traffic& traffic, const Topology& topology, const Resources& resources,
                   Time overhead, std::uint32_t seed)
    : traffic_(traffic), network_(capacities_of(resources)) {
  RouteMaker routes(network_, topology, resources, seed);
  lanes_.reserve(traffic.flows.size());
  routes_.reserve(traffic.flows.size());
  for (const Flow& flow : traffic.flows) {
    const RouteMaker::Made made =
        placed([&] { return traffic.place(flow); }, [&] { return routes.of(way_of(flow)); });
    const Time whole_overhead{engine::later(made.overhead.ps, overhead.ps)};
    lanes_.push_back({made.latency, whole_overhead, flow.weight, 0});
    routes_.push_back(made.route);
  }
}

Time FlowWork::alone(std::uint32_t op) const {
  double rate = std::numeric_limits<double>::infinity();
  for (const engine::Use& use : network_.route(routes_[op]))
    rate = std::min(rate, network_.capacity(use.resource) / use.coefficient);
  const engine::Lane& rule = lanes_[op];
  return {engine::completion(engine::later(rule.overhead.ps, rule.latency.ps),
                             static_cast<double>(bytes_of(op)), rate)};
}

}  // namespace syncsim
