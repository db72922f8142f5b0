#include "sim/topology/embedding.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "sim/base/error.h"
#include "sim/topology/cycles.h"
#include "sim/topology/resources.h"
#include "sim/topology/ring_packing.h"
#include "sim/topology/routing.h"

namespace syncsim {
namespace {

// Units between ranks that cables join directly, by (smaller, larger) index.
using DirectUnits = std::map<std::pair<int, int>, int>;

int whole_units(double bandwidth, double unit) {
  constexpr double kRounding = 1e-9;  // two thirds of 3 cables are 2 cables
  constexpr double kMostUnits = 1e6;  // keeps sums of units in int
  return static_cast<int>(std::min(bandwidth / unit * (1 + kRounding), kMostUnits));
}

// A ring goes both ways, so a cable counts with its slower direction.
DirectUnits direct_units(const Topology& topology, std::span<const NodeId> ranks) {
  std::unordered_map<NodeId, int> rank_of;
  for (const NodeId node : ranks) rank_of.emplace(node, static_cast<int>(rank_of.size()));
  require(rank_of.size() == ranks.size(), "a ring needs distinct ranks");
  std::map<std::pair<int, int>, double> bandwidths;
  double unit = std::numeric_limits<double>::infinity();
  for (LinkId id = 0; id < topology.links().size(); id += 2) {
    const Link& link = topology.links()[id];
    const auto from = rank_of.find(link.from);
    const auto to = rank_of.find(link.to);
    if (route_class(link.kind) != 0 || from == rank_of.end() || to == rank_of.end()) continue;
    const double bandwidth =
        std::min(link.bandwidth, topology.links()[id + 1].bandwidth).bytes_per_second;
    bandwidths[std::minmax({from->second, to->second})] += bandwidth;
    unit = std::min(unit, bandwidth / link.count);
  }
  DirectUnits units;
  for (const auto& [pair, bandwidth] : bandwidths) units[pair] = whole_units(bandwidth, unit);
  return units;
}

CableMatrix matrix_of(const DirectUnits& units, int ranks) {
  CableMatrix cables(ranks);
  for (const auto& [pair, count] : units) cables.set(pair.first, pair.second, count);
  return cables;
}

std::vector<int> given_order(std::size_t ranks) {
  std::vector<int> order(ranks);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Ring canonical(std::vector<int> order, int multiplicity) {
  if (order[1] > order.back()) std::reverse(order.begin() + 1, order.end());
  return {std::move(order), multiplicity};
}

// The fewest units on the way round; zero where two neighbours are not joined directly.
int units_around(const DirectUnits& units, const std::vector<int>& order) {
  int least = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int next = order[i + 1 == order.size() ? 0 : i + 1];
    const auto found = units.find(std::minmax({order[i], next}));
    if (found == units.end()) return 0;
    least = std::min(least, found->second);
  }
  return least;
}

// The one cycle of ranks that have two direct neighbours each, or nothing.
std::optional<std::vector<int>> only_cycle(const DirectUnits& units, std::size_t ranks) {
  std::vector<std::vector<int>> neighbours(ranks);
  for (const auto& [pair, count] : units) {
    neighbours[static_cast<std::size_t>(pair.first)].push_back(pair.second);
    neighbours[static_cast<std::size_t>(pair.second)].push_back(pair.first);
  }
  for (const std::vector<int>& two : neighbours)
    if (two.size() != 2) return std::nullopt;
  std::vector<int> order = {0};
  for (int previous = 0, rank = neighbours[0][0]; rank != 0;) {
    order.push_back(rank);
    const std::vector<int>& two = neighbours[static_cast<std::size_t>(rank)];
    rank = two[0] == std::exchange(previous, rank) ? two[1] : two[0];
  }
  if (order.size() != ranks) return std::nullopt;
  return order;
}

Ring ring_of_many(const DirectUnits& units, std::size_t ranks) {
  std::vector<int> order = given_order(ranks);
  if (const int around = units_around(units, order); around > 0) return {std::move(order), around};
  if (auto cycle = only_cycle(units, ranks)) {
    const int around = units_around(units, *cycle);
    return canonical(*std::move(cycle), around);
  }
  return {std::move(order), 1};
}

// From rank 0, always to the nearest rank not visited yet.
Ring nearest_neighbour_ring(const Topology& topology, std::span<const NodeId> ranks) {
  const Resources resources(topology, Rates::line);
  Router router(topology, resources);
  std::vector<int> order = given_order(ranks.size());
  for (std::size_t visited = 1; visited + 1 < order.size(); ++visited) {
    const NodeId here = ranks[static_cast<std::size_t>(order[visited - 1])];
    const auto distance = [&](int rank) {
      const Route& route = router.route(here, ranks[static_cast<std::size_t>(rank)]);
      return std::tuple(route.route_class, route.hops, rank);
    };
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(visited);
    const auto nearest = std::min_element(first, order.end(),
                                          [&](int a, int b) { return distance(a) < distance(b); });
    std::iter_swap(first, nearest);
  }
  return canonical(std::move(order), 1);
}

}  // namespace

std::vector<Ring> find_rings(const Topology& topology, std::span<const NodeId> ranks) {
  require(!ranks.empty(), "a ring needs ranks");
  if (ranks.size() == 1) return {{{0}, 1}};
  const DirectUnits units = direct_units(topology, ranks);
  if (ranks.size() == 2) return {{{0, 1}, units.empty() ? 1 : units.begin()->second}};
  if (ranks.size() > kMostMatrixRanks) return {ring_of_many(units, ranks.size())};
  std::vector<Ring> rings = pack_rings(matrix_of(units, static_cast<int>(ranks.size())));
  if (rings.empty()) rings.push_back(nearest_neighbour_ring(topology, ranks));
  return rings;
}

}  // namespace syncsim
