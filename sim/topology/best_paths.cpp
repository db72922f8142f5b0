#include "sim/topology/best_paths.h"

#include "sim/topology/nic_choice.h"

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

bool is_striped(const Topology& topology, const Hop& hop) {
  return topology.links()[hop.link].spread == Spread::stripe;
}

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

// What one flow may take of a position's ways: all that are striped, which come first, or one.
std::vector<Ways> choices_of(const Topology& topology, Ways ways) {
  std::vector<Ways> result;
  std::size_t striped = 0;
  while (striped < ways.size() && is_striped(topology, ways[striped])) ++striped;
  if (striped > 0) result.push_back(ways.first(striped));
  for (std::size_t i = striped; i < ways.size(); ++i) result.push_back(ways.subspan(i, 1));
  return result;
}

void put_striped_first(const Topology& topology, std::vector<Hop>& hops) {
  const auto before = [&](const Hop& a, const Hop& b) {
    return std::pair(a.from, !is_striped(topology, a)) <
           std::pair(b.from, !is_striped(topology, b));
  };
  if (!std::is_sorted(hops.begin(), hops.end(), before))
    std::stable_sort(hops.begin(), hops.end(), before);
}

// What a flow can carry from each position to the destination.
class Widths {
 public:
  Widths(const Topology& topology, const Resources& resources, const ShortestPaths& paths)
      : resources_(resources), widest_(paths.nodes.size(), 0), onward_(paths.nodes.size(), 0) {
    onward_.back() = kUnlimited;
    const std::vector<Ways> positions = ways_of(paths.hops);
    for (auto ways = positions.rbegin(); ways != positions.rend(); ++ways) {
      const std::uint32_t from = ways->front().from;
      for (const Ways choice : choices_of(topology, *ways))
        widest_[from] = std::max(widest_[from], of(choice));
      onward_[from] = widest_[from];
      const auto transit = resources.transit(paths.nodes[from]);
      if (transit && from != 0)
        onward_[from] = std::min(onward_[from], capacity(resources, *transit));
    }
  }

  double of(const Hop& way) const {
    return std::min(capacity_of_link(resources_, way.link), onward_[way.to]);
  }
  double of(Ways choice) const {
    double sum = 0;
    for (const Hop& way : choice) sum += of(way);
    return sum;
  }
  double of_path() const { return onward_.front(); }
  // Of the choices at a position, before its transit.
  double widest_at(std::uint32_t position) const { return widest_[position]; }

 private:
  const Resources& resources_;
  std::vector<double> widest_;
  std::vector<double> onward_;  // by position
};

// The hops of the choices that `keep` keeps, of each position that these lead to.
template <class Keep>
std::vector<Hop> kept_hops(const Topology& topology, std::span<const Hop> hops,
                           std::size_t positions, const Keep& keep) {
  std::vector<bool> reached(positions);
  reached.front() = true;
  std::vector<Hop> result;
  for (const Ways ways : ways_of(hops)) {
    if (!reached[ways.front().from]) continue;
    for (const Ways choice : choices_of(topology, ways)) {
      if (!keep(choice)) continue;
      for (const Hop& way : choice) {
        reached[way.to] = true;
        result.push_back(way);
      }
    }
  }
  return result;
}

// Behind a stripe each way has only its share to carry, so that no choice may be as wide as the
// path: then the widest ones are kept.
std::vector<Hop> widest_hops(const Topology& topology, const Widths& widths,
                             const ShortestPaths& paths) {
  return kept_hops(topology, paths.hops, paths.nodes.size(), [&](Ways choice) {
    return widths.of(choice) >= std::min(widths.of_path(), widths.widest_at(choice.front().from));
  });
}

// From each position to the destination.
class Latencies {
 public:
  Latencies(const Topology& topology, std::span<const Hop> hops, std::size_t positions)
      : topology_(topology), onward_(positions) {
    const std::vector<Ways> all = ways_of(hops);
    for (auto ways = all.rbegin(); ways != all.rend(); ++ways) {
      const std::vector<Ways> choices = choices_of(topology, *ways);
      Time least = of(choices.front());
      for (const Ways choice : choices) least = std::min(least, of(choice));
      onward_[ways->front().from] = least;
    }
  }

  // A stripe's is that of its slowest way.
  Time of(Ways choice) const {
    Time most;
    for (const Hop& way : choice)
      most = std::max(most, topology_.links()[way.link].latency + onward_[way.to]);
    return most;
  }
  Time at(std::uint32_t position) const { return onward_[position]; }

 private:
  const Topology& topology_;
  std::vector<Time> onward_;  // by position
};

std::vector<Hop> quickest_hops(const Topology& topology, std::span<const Hop> hops,
                               const Latencies& latencies, std::size_t positions) {
  return kept_hops(topology, hops, positions, [&](Ways choice) {
    return latencies.of(choice) == latencies.at(choice.front().from);
  });
}

std::uint64_t period_of(const Topology& topology, const ShortestPaths& paths) {
  std::vector<std::uint64_t> spent(paths.nodes.size(), 1);  // product of the choices so far
  for (const Ways ways : ways_of(paths.hops)) {
    const std::uint64_t product =
        std::min(kAllChannels, spent[ways.front().from] * choices_of(topology, ways).size());
    for (const Hop& way : ways)
      spent[way.to] = std::min(kAllChannels, std::lcm(spent[way.to], product));
  }
  return spent.back();
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
  put_striped_first(topology, paths.hops);
  const Widths widths(topology, resources, paths);
  const std::vector<Hop> wide = widest_hops(topology, widths, paths);
  const Latencies latencies(topology, wide, paths.nodes.size());
  BestPaths best{std::move(paths), {}, latencies.at(0), 1};
  best.paths.hops = quickest_hops(topology, wide, latencies, best.paths.nodes.size());
  for (const Hop& hop : best.paths.hops) best.widths.push_back(widths.of(hop));
  best.period = has_nic_choice(topology, best) ? kAllChannels : period_of(topology, best.paths);
  return best;
}

namespace {

// Follows the ways of one channel, or all of a stripe, from the source on.
class RouteChooser {
 public:
  RouteChooser(const Topology& topology, const Resources& resources, const BestPaths& best,
               std::uint64_t digits)
      : topology_(topology),
        resources_(resources),
        best_(best),
        shares_(best.paths.nodes.size()),
        digits_(best.paths.nodes.size(), digits) {
    shares_.front() = 1;
    route_.latency = best.latency;
    route_.route_class = best.paths.route_class;
    route_.hops = best.paths.length;
  }

  Route choose() {
    for (const Ways ways : ways_of(best_.paths.hops)) {
      const std::uint32_t from = ways.front().from;
      if (shares_[from] == 0) continue;
      pass(from);
      const std::vector<Ways> choices = choices_of(topology_, ways);
      take(choices[digits_[from] % choices.size()], digits_[from] / choices.size());
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

  void take(Ways choice, std::uint64_t digits) {
    const double share = shares_[choice.front().from];
    if (choice.size() == 1) return take(choice.front(), share, digits);
    const auto first = static_cast<std::size_t>(choice.data() - best_.paths.hops.data());
    const auto widths = std::span(best_.widths).subspan(first, choice.size());
    const double all = std::accumulate(widths.begin(), widths.end(), 0.0);
    for (std::size_t i = 0; i < choice.size(); ++i)
      take(choice[i], share * (widths[i] / all), digits);
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
  std::vector<double> shares_;         // of the flow, by position
  std::vector<std::uint64_t> digits_;  // what is left to choose with
  Route route_;
};

}  // namespace

Route choose_route(const Topology& topology, const Resources& resources, BestPaths best,
                   const Choice& choice) {
  if (best.period == kAllChannels) choose_nics(topology, choice, best);
  return RouteChooser(topology, resources, best, choice.fabric).choose();
}

}  // namespace syncsim
