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
#include "sim/topology/detours.h"
#include "sim/topology/direct_routes.h"
#include "sim/topology/peer_costs.h"

namespace syncsim {
namespace {

std::uint64_t pair_key(NodeId from, NodeId to) { return (std::uint64_t{from} << 32) | to; }

constexpr NodeId kNoNic = std::numeric_limits<NodeId>::max();

struct RouteKey {
  NodeId from = 0;
  NodeId to = 0;
  std::uint32_t variant = 0;  // the channel modulo the period of the pair's ways
  NodeId out = kNoNic;
  NodeId in = kNoNic;
  friend bool operator==(const RouteKey&, const RouteKey&) = default;
};

struct RouteKeyHash {
  std::size_t operator()(const RouteKey& key) const {
    constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
    constexpr std::uint64_t kPrime = 0xC2B2AE3D27D4EB4F;  // of xxHash
    return pair_key(key.from, key.to) ^ (key.variant * kGoldenRatio) ^
           (pair_key(~key.out, ~key.in) * kPrime);
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
  Implementation(const Topology& topology, const Resources& resources, std::uint32_t seed,
                 Plane plane)
      : topology_(topology),
        resources_(resources),
        direct_(topology, resources, seed, plane),
        detours_(topology, direct_) {
    for (const Node& node : topology.nodes())
      has_peer_costs_ = has_peer_costs_ || node.peer_cost != 1;
  }

  const Route& route(const Trip& trip) {
    const auto known = routes_.find(key(trip));
    if (known != routes_.end()) return known->second;
    DirectRoutes::Found found = find(trip);
    if (found.period > 1 && trip.nics == NicPair{})
      periods_.emplace(pair_key(trip.from, trip.to), found.period);
    return routes_.emplace(key(trip), std::move(found.route)).first->second;
  }

  DirectRoutes::Found find(const Trip& trip) {
    DirectRoutes::Found found = leg({trip.from, trip.to, trip.to}, trip.channel);
    std::vector<Waypoint> waypoints;
    if (detours_.may_turn(trip)) {
      waypoints = detours_.of(trip, found.route);
      found.period = kAllChannels;
    }
    if (!waypoints.empty() || has_peer_costs_)
      found.route = joined(legs(trip, waypoints, std::move(found.route)), waypoints);
    return found;
  }

  bool reachable(NodeId from, NodeId to) { return direct_.reachable(from, to); }

 private:
  // Most pairs have no choice of ways: they share one route between all channels.
  RouteKey key(const Trip& trip) const {
    if (trip.nics != NicPair{})
      return {trip.from, trip.to, trip.channel, trip.nics.out.value_or(kNoNic),
              trip.nics.in.value_or(kNoNic)};
    const auto period = periods_.find(pair_key(trip.from, trip.to));
    const std::uint64_t variant = period == periods_.end() ? 0 : trip.channel % period->second;
    return {trip.from, trip.to, static_cast<std::uint32_t>(variant)};
  }

  DirectRoutes::Found leg(const Leg& leg, std::uint32_t channel) {
    if (std::optional<DirectRoutes::Found> found = direct_.find(leg, channel))
      return *std::move(found);
    throw InputError(fmt::format("no route from {} to {}", topology_.nodes()[leg.from].id,
                                 topology_.nodes()[leg.to].id),
                     "join them by links through nodes that forward (a gpu forwards only when it "
                     "says so)");
  }

  // From each waypoint to the next, their peer costs paid.
  std::vector<Route> legs(const Trip& trip, std::span<const Waypoint> waypoints, Route direct) {
    std::vector<Route> result;
    if (waypoints.empty()) result.push_back(std::move(direct));
    Waypoint last{trip.from};
    for (std::size_t i = 0; !waypoints.empty() && i <= waypoints.size(); ++i) {
      const Waypoint next = i < waypoints.size() ? waypoints[i] : Waypoint{trip.to};
      const NetworkEnds ends{last.passage == Passage::nic_out, next.passage == Passage::nic_in};
      result.push_back(leg({last.node, next.node, trip.to, ends}, trip.channel).route);
      last = next;
    }
    if (has_peer_costs_) charge_peer_costs(topology_, resources_, waypoints, result);
    return result;
  }

  // One behind the other.
  Route joined(std::vector<Route> legs, std::span<const Waypoint> waypoints) const {
    Route whole = std::move(legs.front());
    for (std::size_t i = 0; i < waypoints.size(); ++i) {
      const bool is_staged = waypoints[i].passage == Passage::staged;
      if (const auto transit = resources_.transit(waypoints[i].node))
        add_use(whole.uses, *transit, is_staged ? 2 : 1);
      else if (is_staged)
        whole.staged_freely.push_back(waypoints[i].node);
      append_leg(legs[i + 1], whole);
    }
    whole.bottleneck = bottleneck(resources_, whole.uses);
    return whole;
  }

  const Topology& topology_;
  const Resources& resources_;
  DirectRoutes direct_;
  Detours detours_;
  bool has_peer_costs_ = false;
  std::unordered_map<std::uint64_t, std::uint64_t> periods_;  // of pairs with a choice
  std::unordered_map<RouteKey, Route, RouteKeyHash> routes_;
};

Router::Router(const Topology& topology, const Resources& resources, std::uint32_t seed,
               Plane plane)
    : implementation_(std::make_unique<Implementation>(topology, resources, seed, plane)) {}
Router::~Router() = default;

const Route& Router::route(NodeId from, NodeId to, std::uint32_t channel, const NicPair& nics) {
  return implementation_->route({from, to, channel, nics});
}

Route Router::find(NodeId from, NodeId to, std::uint32_t channel, const NicPair& nics) {
  return implementation_->find({from, to, channel, nics}).route;
}

bool Router::reachable(NodeId from, NodeId to) { return implementation_->reachable(from, to); }

}  // namespace syncsim
