#pragma once
// Random networks and DAGs of ops on them.

#include <algorithm>
#include <vector>

#include "tests/engine/plain_work.h"
#include "tests/engine/random_numbers.h"

namespace syncsim::engine {

// Routes over any resources; half of the capacities alike, so that ties are frequent.
inline Network random_network(Draw& draw) {
  std::vector<double> capacities(1 + draw.below(6));
  for (double& capacity : capacities)
    capacity = draw.chance(50) ? 1e9 : draw.log_uniform(1e8, 3e10);
  Network network(capacities);
  for (int route = 0; route < 6; ++route) {
    std::vector<Use> uses;
    for (ResourceIndex r = 0; r < capacities.size(); ++r)
      if (draw.chance(45)) uses.push_back({r, draw.chance(60) ? 1 : draw.log_uniform(0.25, 2)});
    network.add_route(uses);
  }
  return network;
}

// A connected graph: a tree and some more cables. A cable is two resources, one a direction, or,
// half duplex, one for both; some nodes have a resource that all that passes shares. Routes are
// shortest paths.
class RandomMachine {
 public:
  explicit RandomMachine(Draw& draw) : draw_(draw), nodes_(3 + draw.below(6)) {
    for (std::uint32_t node = 0; node < nodes_; ++node)
      passing_.push_back(draw.chance(30) ? resource() : kNone);
    for (std::uint32_t node = 1; node < nodes_; ++node) add_cable(draw.below(node), node);
    for (std::uint32_t more = draw.below(4); more > 0; --more) {
      const std::uint32_t a = draw.below(nodes_);
      const std::uint32_t b = draw.below(nodes_);
      if (a != b) add_cable(a, b);
    }
  }

  Network network(int routes) {
    Network result(capacities_);
    for (int route = 0; route < routes; ++route) {
      const std::uint32_t from = draw_.below(nodes_);
      result.add_route(path(from, (from + 1 + draw_.below(nodes_ - 1)) % nodes_));
    }
    return result;
  }

 private:
  static constexpr ResourceIndex kNone = 0xffffffffu;
  struct Link {
    std::uint32_t from;
    std::uint32_t to;
    ResourceIndex resource;
  };

  ResourceIndex resource() {
    capacities_.push_back(draw_.chance(50) ? 1e9 : draw_.log_uniform(1e8, 3e10));
    return static_cast<ResourceIndex>(capacities_.size() - 1);
  }

  void add_cable(std::uint32_t a, std::uint32_t b) {
    const bool half_duplex = draw_.chance(35);
    links_.push_back({a, b, resource()});
    links_.push_back({b, a, half_duplex ? links_.back().resource : resource()});
  }

  // Over the links that lead one hop closer to `to`.
  std::vector<Use> path(std::uint32_t from, std::uint32_t to) const {
    const std::vector<std::uint32_t> hops = hops_to(to);
    std::vector<Use> uses;
    for (std::uint32_t node = from; node != to;) {
      const auto link = std::find_if(links_.begin(), links_.end(), [&](const Link& l) {
        return l.from == node && hops[l.to] + 1 == hops[node];
      });
      uses.push_back({link->resource, 1});
      node = link->to;
      if (node != to && passing_[node] != kNone) uses.push_back({passing_[node], 2});
    }
    return uses;
  }

  std::vector<std::uint32_t> hops_to(std::uint32_t to) const {
    std::vector<std::uint32_t> hops(nodes_, nodes_);
    hops[to] = 0;
    for (std::uint32_t round = 1; round < nodes_; ++round)
      for (const Link& link : links_)
        hops[link.from] = std::min(hops[link.from], hops[link.to] + 1);
    return hops;
  }

  Draw& draw_;
  std::uint32_t nodes_;
  std::vector<ResourceIndex> passing_;  // of each node; kNone: it limits nobody
  std::vector<double> capacities_;
  std::vector<Link> links_;
};

inline Lane random_lane(Draw& draw) {
  Lane lane;
  if (draw.chance(50)) lane.latency.ps = draw.below(5'000'000);
  if (draw.chance(50)) lane.overhead.ps = draw.below(1'000'000);
  if (draw.chance(40)) lane.weight = draw.log_uniform(0.25, 4);
  if (draw.chance(30)) lane.maximum_rate = draw.log_uniform(1e8, 1e10);
  return lane;
}

struct WorkSize {
  std::uint32_t lanes = 8;  // at most, as the others
  std::uint32_t ops = 30;
  std::uint32_t bytes = 50'000;  // of an op, beyond the least
  std::uint32_t least_bytes = 1;
};

// Half of the transfers alike.
inline std::uint32_t random_op(Draw& draw, const Network& network, const WorkSize& most,
                               PlainWork& work) {
  const std::uint32_t lane = draw.below(work.lane_count());
  if (draw.chance(10)) return work.join();
  if (draw.chance(10)) return work.signal(lane);
  if (draw.chance(10)) return work.compute(lane, draw.below(20'000'000));
  const std::int64_t bytes =
      draw.chance(50) ? most.bytes / 5 : most.least_bytes + draw.below(most.bytes);
  const auto routes = static_cast<std::uint32_t>(network.route_count());
  return work.transfer(lane, draw.below(routes), bytes);
}

inline PlainWork random_work(Draw& draw, const Network& network, const WorkSize& most = {}) {
  PlainWork work;
  const std::uint32_t lanes = 1 + draw.below(most.lanes);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) work.add_lane(random_lane(draw));
  const std::uint32_t ops = 1 + draw.below(most.ops);
  for (std::uint32_t count = 0; count < ops; ++count) {
    const std::uint32_t op = random_op(draw, network, most, work);
    for (std::uint32_t edges = draw.below(3); op > 0 && edges > 0; --edges)
      work.edge(draw.below(op), op);
    if (draw.chance(15)) work.release(op, draw.below(30'000'000));
  }
  return work;
}

}  // namespace syncsim::engine
