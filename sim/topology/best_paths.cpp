#include "sim/topology/best_paths.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace syncsim {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

double capacity(const Resources& resources, ResourceId resource) {
  return resources.all()[resource].capacity;
}

double capacity_of_link(const Resources& resources, LinkId link) {
  return capacity(resources, resources.of_link(link));
}

// The widest bottleneck from the source to each position, the transit of inner nodes included.
std::vector<double> widths(const Resources& resources, const ShortestPaths& paths) {
  std::vector<double> width(paths.nodes.size(), 0);
  width.front() = kUnlimited;
  std::uint32_t passed = 0;
  for (const Hop& hop : paths.hops) {
    // All hops into a position come before those out of it.
    if (hop.from != std::exchange(passed, hop.from))
      if (const auto transit = resources.transit(paths.nodes[hop.from]))
        width[hop.from] = std::min(width[hop.from], capacity(resources, *transit));
    const double through = std::min(width[hop.from], capacity_of_link(resources, hop.link));
    width[hop.to] = std::max(width[hop.to], through);
  }
  return width;
}

std::vector<Hop> widest_hops(const Resources& resources, const ShortestPaths& paths) {
  const std::vector<double> width = widths(resources, paths);
  std::vector<Hop> hops;
  for (const Hop& hop : paths.hops)
    if (std::min(width[hop.from], capacity_of_link(resources, hop.link)) >= width.back())
      hops.push_back(hop);
  return hops;
}

// The least latency from each position to the destination; nothing where `hops` do not lead there.
std::vector<std::optional<Time>> remaining_latencies(const Topology& topology,
                                                     std::span<const Hop> hops,
                                                     std::size_t positions) {
  std::vector<std::optional<Time>> remaining(positions);
  remaining.back() = Time{};
  for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
    if (!remaining[hop->to]) continue;
    const Time latency = topology.links()[hop->link].latency + *remaining[hop->to];
    std::optional<Time>& best = remaining[hop->from];
    if (!best || latency < *best) best = latency;
  }
  return remaining;
}

// The hops of paths from the source that waste no latency.
std::vector<Hop> quickest_hops(const Topology& topology, std::span<const Hop> hops,
                               std::span<const std::optional<Time>> remaining) {
  std::vector<bool> on_path(remaining.size());
  on_path.front() = true;
  std::vector<Hop> result;
  for (const Hop& hop : hops) {
    if (!on_path[hop.from] || !remaining[hop.to]) continue;
    if (topology.links()[hop.link].latency + *remaining[hop.to] != *remaining[hop.from]) continue;
    on_path[hop.to] = true;
    result.push_back(hop);
  }
  return result;
}

// Calls `function` with the ways on from each position, in order of hops.
template <class Function>
void for_each_position(std::span<const Hop> hops, const Function& function) {
  while (!hops.empty()) {
    std::size_t ways = 1;
    while (ways < hops.size() && hops[ways].from == hops[0].from) ++ways;
    function(hops.first(ways));
    hops = hops.subspan(ways);
  }
}

bool all_striped(const Topology& topology, std::span<const Hop> ways) {
  return std::all_of(ways.begin(), ways.end(), [&](const Hop& way) {
    return topology.links()[way.link].spread == Spread::stripe;
  });
}

std::uint64_t period_of(const Topology& topology, std::span<const Hop> hops) {
  constexpr std::uint64_t kAllChannels = std::uint64_t{1} << 32;
  std::uint64_t result = 1;
  for_each_position(hops, [&](std::span<const Hop> ways) {
    if (!all_striped(topology, ways))
      result = std::min(kAllChannels, std::lcm(result, std::uint64_t{ways.size()}));
  });
  return result;
}

void add_use(std::vector<ResourceUse>& uses, ResourceId resource, double share) {
  const auto use = std::find_if(uses.begin(), uses.end(), [&](const ResourceUse& other) {
    return other.resource == resource;
  });
  if (use == uses.end())
    uses.push_back({resource, share});
  else
    use->coefficient += share;
}

double bottleneck(const Resources& resources, std::span<const ResourceUse> uses) {
  double least = kUnlimited;
  for (const ResourceUse& use : uses)
    least = std::min(least, capacity(resources, use.resource) / use.coefficient);
  return least;
}

}  // namespace

BestPaths best_paths(const Topology& topology, const Resources& resources, ShortestPaths paths) {
  if (paths.hops.size() == static_cast<std::size_t>(paths.length)) {  // there is but one
    Time latency;
    for (const Hop& hop : paths.hops) latency = latency + topology.links()[hop.link].latency;
    return {std::move(paths), latency, 1};
  }
  const std::vector<Hop> wide = widest_hops(resources, paths);
  const auto remaining = remaining_latencies(topology, wide, paths.nodes.size());
  BestPaths best{std::move(paths), *remaining.front(), 1};
  best.paths.hops = quickest_hops(topology, wide, remaining);
  best.period = period_of(topology, best.paths.hops);
  return best;
}

Route choose_route(const Topology& topology, const Resources& resources, const BestPaths& best,
                   std::uint64_t choice) {
  Route route;
  route.latency = best.latency;
  route.route_class = best.paths.route_class;
  route.hops = best.paths.length;
  std::vector<double> shares(best.paths.nodes.size());  // of the flow, by position
  shares.front() = 1;
  for_each_position(best.paths.hops, [&](std::span<const Hop> ways) {
    const std::uint32_t from = ways[0].from;
    if (shares[from] == 0) return;
    if (const auto transit = resources.transit(best.paths.nodes[from]); transit && from != 0)
      add_use(route.uses, *transit, shares[from]);
    if (!all_striped(topology, ways)) ways = ways.subspan(choice % ways.size(), 1);
    const double share = shares[from] / static_cast<double>(ways.size());
    for (const Hop& way : ways) {
      shares[way.to] += share;
      route.links.push_back(way.link);
      route.overhead = std::max(route.overhead, topology.links()[way.link].overhead);
      add_use(route.uses, resources.of_link(way.link), share);
    }
  });
  route.bottleneck = bottleneck(resources, route.uses);
  return route;
}

}  // namespace syncsim
