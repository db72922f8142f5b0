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

using Ways = std::span<const Hop>;

// The ways on from each position, in order of positions.
std::vector<Ways> ways_of(std::span<const Hop> hops) {
  std::vector<Ways> result;
  while (!hops.empty()) {
    std::size_t ways = 1;
    while (ways < hops.size() && hops[ways].from == hops[0].from) ++ways;
    result.push_back(hops.first(ways));
    hops = hops.subspan(ways);
  }
  return result;
}

bool all_striped(const Topology& topology, Ways ways) {
  return std::all_of(ways.begin(), ways.end(), [&](const Hop& way) {
    return topology.links()[way.link].spread == Spread::stripe;
  });
}

// What a flow can carry from a position to the destination: over the widest of its ways, or over
// all of them together when they are striped.
class Widths {
 public:
  Widths(const Topology& topology, const Resources& resources, const ShortestPaths& paths)
      : resources_(resources), onward_(paths.nodes.size(), 0) {
    onward_.back() = kUnlimited;
    const std::vector<Ways> positions = ways_of(paths.hops);
    for (auto ways = positions.rbegin(); ways != positions.rend(); ++ways) {
      double& width = onward_[ways->front().from];
      for (const Hop& way : *ways)
        width = all_striped(topology, *ways) ? width + of(way) : std::max(width, of(way));
      const auto transit = resources.transit(paths.nodes[ways->front().from]);
      if (transit && ways->front().from != 0)
        width = std::min(width, capacity(resources, *transit));
    }
  }

  double of(const Hop& way) const {
    return std::min(capacity_of_link(resources_, way.link), onward_[way.to]);
  }
  double of_path() const { return onward_.front(); }

 private:
  const Resources& resources_;
  std::vector<double> onward_;  // by position
};

// Of each position that is reached, the ways that are as wide as the path; all that are striped.
std::vector<Hop> widest_hops(const Topology& topology, const Widths& widths,
                             const ShortestPaths& paths) {
  std::vector<bool> reached(paths.nodes.size());
  reached.front() = true;
  std::vector<Hop> hops;
  for (const Ways ways : ways_of(paths.hops)) {
    if (!reached[ways.front().from]) continue;
    double widest = 0;
    for (const Hop& way : ways) widest = std::max(widest, widths.of(way));
    // Behind a stripe each way has only its share to carry.
    const double need = all_striped(topology, ways) ? 0 : std::min(widths.of_path(), widest);
    for (const Hop& way : ways) {
      if (widths.of(way) < need) continue;
      reached[way.to] = true;
      hops.push_back(way);
    }
  }
  return hops;
}

// From each position to the destination: by the quickest of its ways, or the slowest of a stripe.
std::vector<Time> remaining_latencies(const Topology& topology, std::span<const Hop> hops,
                                      std::size_t positions) {
  std::vector<Time> remaining(positions);
  const std::vector<Ways> all = ways_of(hops);
  for (auto ways = all.rbegin(); ways != all.rend(); ++ways) {
    const auto latency = [&](const Hop& way) {
      return topology.links()[way.link].latency + remaining[way.to];
    };
    const auto [least, most] =
        std::minmax_element(ways->begin(), ways->end(),
                            [&](const Hop& a, const Hop& b) { return latency(a) < latency(b); });
    remaining[ways->front().from] = latency(all_striped(topology, *ways) ? *most : *least);
  }
  return remaining;
}

// Of each position that is reached, the ways that waste no latency; all that are striped.
std::vector<Hop> quickest_hops(const Topology& topology, std::span<const Hop> hops,
                               std::span<const Time> remaining) {
  std::vector<bool> reached(remaining.size());
  reached.front() = true;
  std::vector<Hop> result;
  for (const Ways ways : ways_of(hops)) {
    if (!reached[ways.front().from]) continue;
    const bool striped = all_striped(topology, ways);
    for (const Hop& way : ways) {
      const Time latency = topology.links()[way.link].latency + remaining[way.to];
      if (!striped && latency != remaining[way.from]) continue;
      reached[way.to] = true;
      result.push_back(way);
    }
  }
  return result;
}

// All ways lead to nics, and which one a gpu uses is not for the fabric to say.
bool are_nics(const Topology& topology, const ShortestPaths& paths, Ways ways) {
  return std::all_of(ways.begin(), ways.end(), [&](const Hop& way) {
    return topology.nodes()[paths.nodes[way.to]].kind == NodeKind::nic;
  });
}

std::uint64_t period_of(const Topology& topology, const ShortestPaths& paths) {
  constexpr std::uint64_t kAllChannels = std::uint64_t{1} << 32;
  std::vector<std::uint64_t> spent(paths.nodes.size(), 1);  // product of the widths so far
  std::uint64_t period = 1;
  for (const Ways ways : ways_of(paths.hops)) {
    std::uint64_t product = spent[ways.front().from];
    const bool chooses = ways.size() > 1 && !all_striped(topology, ways);
    if (chooses && are_nics(topology, paths, ways))
      period = std::min(kAllChannels, std::lcm(period, std::uint64_t{ways.size()}));
    else if (chooses)
      product = std::min(kAllChannels, product * ways.size());
    for (const Hop& way : ways)
      spent[way.to] = std::min(kAllChannels, std::lcm(spent[way.to], product));
  }
  return std::min(kAllChannels, std::lcm(period, spent.back()));
}

}  // namespace

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

BestPaths best_paths(const Topology& topology, const Resources& resources, ShortestPaths paths) {
  if (paths.hops.size() == static_cast<std::size_t>(paths.length)) {  // there is but one
    Time latency;
    for (const Hop& hop : paths.hops) latency = latency + topology.links()[hop.link].latency;
    return {std::move(paths), {}, latency, 1};
  }
  const Widths widths(topology, resources, paths);
  const std::vector<Hop> wide = widest_hops(topology, widths, paths);
  const std::vector<Time> remaining = remaining_latencies(topology, wide, paths.nodes.size());
  BestPaths best{std::move(paths), {}, remaining.front(), 1};
  best.paths.hops = quickest_hops(topology, wide, remaining);
  for (const Hop& hop : best.paths.hops) best.widths.push_back(widths.of(hop));
  best.period = period_of(topology, best.paths);
  return best;
}

namespace {

// Follows the ways of one channel, or all of a stripe, from the source on.
class RouteChooser {
 public:
  RouteChooser(const Topology& topology, const Resources& resources, const BestPaths& best,
               const Choice& choice)
      : topology_(topology),
        resources_(resources),
        best_(best),
        choice_(choice),
        shares_(best.paths.nodes.size()),
        digits_(best.paths.nodes.size(), choice.fabric) {
    shares_.front() = 1;
    route_.latency = best.latency;
    route_.route_class = best.paths.route_class;
    route_.hops = best.paths.length;
  }

  Route choose() {
    std::span<const double> widths = best_.widths;
    for (const Ways ways : ways_of(best_.paths.hops)) {
      const std::uint32_t from = ways.front().from;
      if (shares_[from] > 0) {
        pass(from);
        if (ways.size() == 1)
          take(ways.front(), shares_[from], digits_[from]);
        else if (all_striped(topology_, ways))
          spread(ways, widths.first(ways.size()));
        else
          take_one(ways);
      }
      if (!widths.empty()) widths = widths.subspan(ways.size());
    }
    route_.bottleneck = bottleneck(resources_, route_.uses);
    return std::move(route_);
  }

 private:
  void pass(std::uint32_t position) {
    if (position == 0) return;
    if (const auto transit = resources_.transit(best_.paths.nodes[position]))
      add_use(route_.uses, *transit, shares_[position]);
  }

  void spread(Ways ways, std::span<const double> widths) {
    const std::uint32_t from = ways.front().from;
    const double all = std::accumulate(widths.begin(), widths.end(), 0.0);
    for (std::size_t i = 0; i < ways.size(); ++i)
      take(ways[i], shares_[from] * (widths[i] / all), digits_[from]);
  }

  void take_one(Ways ways) {
    const std::uint32_t from = ways.front().from;
    const std::uint64_t digits = digits_[from];
    if (!are_nics(topology_, best_.paths, ways))
      return take(ways[digits % ways.size()], shares_[from], digits / ways.size());
    const bool arrives = topology_.links()[ways.front().link].kind == LinkKind::network;
    const std::uint64_t nic = arrives ? choice_.nic_in : choice_.nic_out;
    take(ways[nic % ways.size()], shares_[from], digits);
  }

  void take(const Hop& way, double share, std::uint64_t digits) {
    shares_[way.to] += share;
    digits_[way.to] = digits;
    route_.links.push_back(way.link);
    route_.overhead = std::max(route_.overhead, topology_.links()[way.link].overhead);
    add_use(route_.uses, resources_.of_link(way.link), share);
  }

  const Topology& topology_;
  const Resources& resources_;
  const BestPaths& best_;
  const Choice& choice_;
  std::vector<double> shares_;         // of the flow, by position
  std::vector<std::uint64_t> digits_;  // what is left to choose with
  Route route_;
};

}  // namespace

Route choose_route(const Topology& topology, const Resources& resources, const BestPaths& best,
                   const Choice& choice) {
  return RouteChooser(topology, resources, best, choice).choose();
}

}  // namespace syncsim
