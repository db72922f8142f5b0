#include "sim/topology/routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/topology/best_paths.h"
#include "sim/topology/boxes.h"
#include "sim/topology/detours.h"
#include "sim/topology/shortest_paths.h"

namespace syncsim {
namespace {

std::uint64_t pair_key(NodeId from, NodeId to) { return (std::uint64_t{from} << 32) | to; }

struct RouteKey {
  NodeId from = 0;
  NodeId to = 0;
  std::uint32_t variant = 0;  // the channel modulo the period of the pair's ways
  friend bool operator==(const RouteKey&, const RouteKey&) = default;
};

struct RouteKeyHash {
  std::size_t operator()(const RouteKey& key) const {
    constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
    return pair_key(key.from, key.to) ^ (key.variant * kGoldenRatio);
  }
};

void append_leg(const Route& leg, Route& whole) {
  for (const ResourceUse& use : leg.uses) add_use(whole.uses, use.resource, use.coefficient);
  whole.links.insert(whole.links.end(), leg.links.begin(), leg.links.end());
  whole.latency = whole.latency + leg.latency;
  whole.overhead = std::max(whole.overhead, leg.overhead);
  whole.route_class = std::max(whole.route_class, leg.route_class);
  whole.hops += leg.hops;
}

bool is_staged(std::span<const Waypoint> waypoints, NodeId node) {
  return std::any_of(waypoints.begin(), waypoints.end(), [&](const Waypoint& waypoint) {
    return waypoint.node == node && waypoint.staged;
  });
}

// Rule 10, for a route that is one path: from each device to the next, the PCIe links around a
// bridge with a cost are charged.
void charge_peer_costs(const Topology& topology, const Resources& resources,
                       std::span<const Waypoint> waypoints, Route& route) {
  const auto is_pcie = [&](std::size_t i) {
    return topology.links()[route.links[i]].kind == LinkKind::pcie;
  };
  for (std::size_t begin = 0; begin < route.links.size();) {
    double cost = 1;
    std::size_t end = begin + 1;
    // The next link goes on from a bridge or a switch, by PCIe.
    for (; end < route.links.size() && is_pcie(begin) && is_pcie(end); ++end) {
      const NodeId node = topology.links()[route.links[end]].from;
      if (topology.links()[route.links[end - 1]].to != node || is_staged(waypoints, node)) break;
      cost = std::max(cost, topology.nodes()[node].peer_cost);
    }
    for (std::size_t i = begin; i < end && cost > 1; ++i)
      add_use(route.uses, resources.of_link(route.links[i]), cost - 1);
    begin = end;
  }
  route.bottleneck = bottleneck(resources, route.uses);
}

}  // namespace

int route_class(LinkKind kind) {
  switch (kind) {
    case LinkKind::nvlink:
    case LinkKind::xgmi:
    case LinkKind::c2c:
      return 0;
    case LinkKind::pcie:
      return 1;
    case LinkKind::host:
    case LinkKind::socket:
      return 2;
    case LinkKind::network:
      return 3;
  }
  throw InternalError("a link kind without a class");
}

bool is_direct(const Topology& topology, const Link& link) {
  return route_class(link.kind) == 0 && topology.routing().p2p != PeerLevel::loc;
}

class Router::Implementation {
 public:
  Implementation(const Topology& topology, const Resources& resources, std::uint32_t seed)
      : topology_(topology),
        resources_(resources),
        seed_(seed),
        finder_(topology),
        places_(places_of(topology)),
        detours_(topology, places_, [this](NodeId from, NodeId to, std::uint32_t channel) {
          return direct_or_none(from, to, channel).route;
        }) {
    for (const Node& node : topology.nodes())
      has_peer_costs_ = has_peer_costs_ || node.peer_cost != 1;
  }

  const Route& route(NodeId from, NodeId to, std::uint32_t channel) {
    const auto known = routes_.find({from, to, variant(from, to, channel)});
    if (known != routes_.end()) return known->second;
    Found found = find(from, to, channel);
    if (found.period > 1) periods_.emplace(pair_key(from, to), found.period);
    return routes_.emplace(RouteKey{from, to, variant(from, to, channel)}, *std::move(found.route))
        .first->second;
  }

  struct Found {
    std::optional<Route> route;
    std::uint64_t period = 1;  // channels this far apart take the same ways
  };

  // Always a route.
  Found find(NodeId from, NodeId to, std::uint32_t channel) {
    Found found = direct(from, to, channel);
    std::vector<Waypoint> waypoints;
    if (detours_.any()) {
      waypoints = detours_.of(from, to, channel, *found.route, fabric_choice(to, channel));
      found.period = kAllChannels;
    }
    if (!waypoints.empty()) found.route = through(waypoints, from, to, channel);
    if (has_peer_costs_) charge_peer_costs(topology_, resources_, waypoints, *found.route);
    return found;
  }

  bool reachable(NodeId from, NodeId to) { return from == to || finder_.find(from, to); }

 private:
  // Most pairs have no choice of ways: they share one route between all channels.
  std::uint32_t variant(NodeId from, NodeId to, std::uint32_t channel) const {
    const auto period = periods_.find(pair_key(from, to));
    return period == periods_.end() ? 0 : static_cast<std::uint32_t>(channel % period->second);
  }

  std::uint64_t fabric_choice(NodeId to, std::uint32_t channel) const {
    return std::uint64_t{seed_} + channel + places_[to].box + places_[to].number;
  }

  NicChoice nic_choice(NodeId node, std::uint64_t turn) const {
    const Place& place = places_[node];
    return {place.number, turn, place.gpus, place.nics};
  }

  Found direct(NodeId from, NodeId to, std::uint32_t channel) {
    Found found = direct_or_none(from, to, channel);
    if (found.route) return found;
    throw InputError(
        fmt::format("no route from {} to {}", topology_.nodes()[from].id, topology_.nodes()[to].id),
        "join them by links through nodes that forward (a gpu forwards only when it says so)");
  }

  Found direct_or_none(NodeId from, NodeId to, std::uint32_t channel) {
    if (from == to) return {stay(), 1};
    if (const auto leaves = finder_.between_leaves(from, to)) return {through_hub(*leaves), 1};
    std::optional<ShortestPaths> paths = finder_.find(from, to);
    if (!paths) return {};
    BestPaths best = best_paths(topology_, resources_, *std::move(paths));
    const std::uint64_t period = best.period;
    const std::uint64_t turn = std::uint64_t{seed_} + channel;
    const Choice choice{fabric_choice(to, channel), nic_choice(from, turn), nic_choice(to, turn)};
    return {choose_route(topology_, resources_, std::move(best), choice), period};
  }

  // The legs one behind the other.
  Route through(std::span<const Waypoint> waypoints, NodeId from, NodeId to,
                std::uint32_t channel) {
    Route whole = *direct(from, waypoints.front().node, channel).route;
    for (std::size_t i = 0; i < waypoints.size(); ++i) {
      const NodeId here = waypoints[i].node;
      if (const auto transit = resources_.transit(here))
        add_use(whole.uses, *transit, waypoints[i].staged ? 2 : 1);
      const NodeId next = i + 1 < waypoints.size() ? waypoints[i + 1].node : to;
      append_leg(*direct(here, next, channel).route, whole);
    }
    whole.bottleneck = bottleneck(resources_, whole.uses);
    return whole;
  }

  Route through_hub(const LeafPath& path) const {
    const Link& up = topology_.links()[path.up];
    const Link& down = topology_.links()[path.down];
    Route route;
    route.links = {path.up, path.down};
    route.uses.reserve(3);
    route.uses.push_back({resources_.of_link(path.up), 1});
    if (const auto transit = resources_.transit(up.to)) route.uses.push_back({*transit, 1});
    route.uses.push_back({resources_.of_link(path.down), 1});
    route.latency = up.latency + down.latency;
    route.overhead = std::max(up.overhead, down.overhead);
    route.route_class = std::max(route_class(up.kind), route_class(down.kind));
    route.hops = 2;
    route.bottleneck = std::numeric_limits<double>::infinity();
    for (const ResourceUse& use : route.uses)
      route.bottleneck = std::min(route.bottleneck, resources_.all()[use.resource].capacity);
    return route;
  }

  static Route stay() {
    Route route;
    route.bottleneck = std::numeric_limits<double>::infinity();
    return route;
  }

  const Topology& topology_;
  const Resources& resources_;
  std::uint32_t seed_;
  PathFinder finder_;
  std::vector<Place> places_;
  Detours detours_;
  bool has_peer_costs_ = false;
  std::unordered_map<std::uint64_t, std::uint64_t> periods_;  // of pairs with a choice
  std::unordered_map<RouteKey, Route, RouteKeyHash> routes_;
};

Router::Router(const Topology& topology, const Resources& resources, std::uint32_t seed)
    : implementation_(std::make_unique<Implementation>(topology, resources, seed)) {}
Router::~Router() = default;

const Route& Router::route(NodeId from, NodeId to, std::uint32_t channel) {
  return implementation_->route(from, to, channel);
}

Route Router::find(NodeId from, NodeId to, std::uint32_t channel) {
  return *implementation_->find(from, to, channel).route;
}

bool Router::reachable(NodeId from, NodeId to) { return implementation_->reachable(from, to); }

}  // namespace syncsim
