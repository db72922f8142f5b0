#include "sim/topology/routing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "sim/base/error.h"
#include "sim/topology/best_paths.h"
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

class Router::Implementation {
 public:
  Implementation(const Topology& topology, const Resources& resources, std::uint32_t seed)
      : topology_(topology), resources_(resources), seed_(seed), finder_(topology) {}

  const Route& route(NodeId from, NodeId to, std::uint32_t channel) {
    const auto known = routes_.find({from, to, variant(from, to, channel)});
    if (known != routes_.end()) return known->second;
    std::uint64_t period = 1;
    Route found = find(from, to, channel, period);
    if (period > 1) periods_.emplace(pair_key(from, to), period);
    return routes_.emplace(RouteKey{from, to, variant(from, to, channel)}, std::move(found))
        .first->second;
  }

  // `period`: channels this far apart take the same ways.
  Route find(NodeId from, NodeId to, std::uint32_t channel, std::uint64_t& period) {
    if (from == to) return stay();
    if (const auto leaves = finder_.between_leaves(from, to)) return through_hub(*leaves);
    std::optional<ShortestPaths> paths = finder_.find(from, to);
    if (!paths)
      throw InputError(
          fmt::format("no route from {} to {}", topology_.nodes()[from].id,
                      topology_.nodes()[to].id),
          "join them by links through nodes that forward (a gpu forwards only when it says so)");
    const BestPaths best = best_paths(topology_, resources_, *std::move(paths));
    period = best.period;
    const std::uint64_t choice = std::uint64_t{seed_} + channel + to;
    return choose_route(topology_, resources_, best, choice);
  }

  bool reachable(NodeId from, NodeId to) { return from == to || finder_.find(from, to); }

 private:
  // Most pairs have no choice of ways: they share one route between all channels.
  std::uint32_t variant(NodeId from, NodeId to, std::uint32_t channel) const {
    const auto period = periods_.find(pair_key(from, to));
    return period == periods_.end() ? 0 : static_cast<std::uint32_t>(channel % period->second);
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
  std::uint64_t period = 1;
  return implementation_->find(from, to, channel, period);
}

bool Router::reachable(NodeId from, NodeId to) { return implementation_->reachable(from, to); }

}  // namespace syncsim
