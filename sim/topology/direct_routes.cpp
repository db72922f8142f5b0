#include "sim/topology/direct_routes.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace syncsim {
namespace {

Route stay() {
  Route route;
  route.bottleneck = std::numeric_limits<double>::infinity();
  return route;
}

}  // namespace

DirectRoutes::DirectRoutes(const Topology& topology, const Resources& resources, std::uint32_t seed,
                           Plane plane)
    : topology_(topology),
      resources_(resources),
      seed_(seed),
      finder_(topology, plane),
      places_(places_of(topology)) {}

std::optional<DirectRoutes::Found> DirectRoutes::find(const Leg& leg, std::uint32_t channel) {
  if (leg.from == leg.to) return Found{stay(), 1};
  if (const auto leaves = finder_.between_leaves(leg.from, leg.to))
    return Found{through_hub(*leaves), 1};
  std::optional<ShortestPaths> paths = finder_.find(leg.from, leg.to, leg.ends);
  if (!paths) return std::nullopt;
  BestPaths best = best_paths(topology_, resources_, *std::move(paths));
  const std::uint64_t period = best.period;
  const std::uint64_t turn = std::uint64_t{seed_} + channel;
  const Choice choice{fabric_choice(leg.destination, channel), nic_choice(leg.from, turn),
                      nic_choice(leg.to, turn)};
  return Found{choose_route(topology_, resources_, std::move(best), choice), period};
}

std::optional<Route> DirectRoutes::find(NodeId from, NodeId to, std::uint32_t channel) {
  std::optional<Found> found = find({from, to, to}, channel);
  if (!found) return std::nullopt;
  return std::move(found->route);
}

std::uint64_t DirectRoutes::fabric_choice(NodeId destination, std::uint32_t channel) const {
  const Place& place = places_[destination];
  return std::uint64_t{seed_} + channel + place.box + place.number;
}

NicChoice DirectRoutes::nic_choice(NodeId node, std::uint64_t turn) const {
  const Place& place = places_[node];
  return {place.number, turn, place.gpus, place.nics};
}

Route DirectRoutes::through_hub(const LeafPath& path) const {
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
  route.bottleneck = bottleneck(resources_, route.uses);
  return route;
}

}  // namespace syncsim
