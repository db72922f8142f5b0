#include "sim/topology/large_rings.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "sim/topology/cycle_cover.h"
#include "sim/topology/ring_packing.h"

namespace syncsim {

std::vector<int> ranks_in_order(std::size_t ranks) {
  std::vector<int> order(ranks);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Ring canonical_ring(std::vector<int> order, int multiplicity) {
  if (order[1] > order.back()) std::reverse(order.begin() + 1, order.end());
  return {std::move(order), multiplicity};
}

namespace {

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

std::vector<Ring> one_ring(const DirectUnits& units, std::size_t ranks) {
  std::vector<int> order = ranks_in_order(ranks);
  if (const int around = units_around(units, order); around > 0)
    return {{std::move(order), around}};
  if (auto cycle = only_cycle(units, ranks)) {
    const int around = units_around(units, *cycle);
    return {canonical_ring(*std::move(cycle), around)};
  }
  return {};
}

// One of each pair's cables counts, or all where they are equally many.
std::vector<Ring> disjoint_rings(const DirectUnits& units, std::size_t ranks) {
  std::vector<std::pair<int, int>> pairs;
  int least = std::numeric_limits<int>::max();
  for (const auto& [pair, count] : units) {
    pairs.push_back(pair);
    least = std::min(least, count);
  }
  std::vector<Ring> rings;
  for (std::vector<int>& cycle : edge_disjoint_cycles(static_cast<int>(ranks), pairs))
    rings.push_back(canonical_ring(std::move(cycle), least));
  sort_rings(rings);
  return rings;
}

}  // namespace

std::vector<Ring> rings_of_many(const DirectUnits& units, std::size_t ranks) {
  std::vector<Ring> several = disjoint_rings(units, ranks);
  std::vector<Ring> one = one_ring(units, ranks);
  return several.size() > 1 || one.empty() ? several : one;
}

}  // namespace syncsim
