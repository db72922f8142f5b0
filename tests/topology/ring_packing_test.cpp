#include "sim/topology/ring_packing.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace syncsim::ring_packing_test {
namespace {

// (sum of multiplicities, -number of different rings): larger is better.
using Score = std::pair<int, int>;

std::vector<Cycle> all_cycles(int ranks) {
  Cycle order;
  for (int rank = 0; rank < ranks; ++rank) order.push_back(rank);
  std::vector<Cycle> cycles;
  do {
    if (order[1] < order.back()) cycles.push_back(order);
  } while (std::next_permutation(order.begin() + 1, order.end()));
  return cycles;
}

// Tries every multiplicity of every cycle.
Score best_score(CableMatrix& left, const std::vector<Cycle>& cycles, std::size_t from) {
  if (from == cycles.size()) return {0, 0};
  Score best = best_score(left, cycles, from + 1);
  const int most = left.slack(cycles[from]);
  for (int units = 1; units <= most; ++units) {
    left.take(cycles[from], units);
    const Score rest = best_score(left, cycles, from + 1);
    left.take(cycles[from], -units);
    best = std::max(best, {rest.first + units, rest.second - 1});
  }
  return best;
}

Score score(const std::vector<Ring>& rings) {
  Score result = {0, -static_cast<int>(rings.size())};
  for (const Ring& ring : rings) result.first += ring.multiplicity;
  return result;
}

CableMatrix random_cables(int ranks, std::mt19937& random) {
  CableMatrix cables(ranks);
  for (int a = 0; a < ranks; ++a)
    for (int b = a + 1; b < ranks; ++b) cables.set(a, b, static_cast<int>(random() % 5));
  return cables;
}

}  // namespace

TEST_CASE(
    "a packing has the largest sum there is, with the fewest rings, and takes no cable twice") {
  std::mt19937 random(11);
  for (const int ranks : {3, 4, 5}) {
    const std::vector<Cycle> cycles = all_cycles(ranks);
    for (int machine = 0; machine < 60; ++machine) {
      CAPTURE(ranks);
      CAPTURE(machine);
      CableMatrix cables = random_cables(ranks, random);
      const std::vector<Ring> rings = pack_rings(cables);
      REQUIRE(score(rings) == best_score(cables, cycles, 0));
      for (const Ring& ring : rings) {
        REQUIRE(cables.slack(ring.order) >= ring.multiplicity);
        cables.take(ring.order, ring.multiplicity);
      }
    }
  }
}

TEST_CASE("a graph without a Hamiltonian cycle has no packing") {
  // Two triangles that share rank 2.
  CableMatrix cables(5);
  for (const auto& [a, b] : {std::pair(0, 1), {1, 2}, {0, 2}, {2, 3}, {3, 4}, {2, 4}})
    cables.set(a, b, 2);
  CHECK(pack_rings(cables).empty());
}

}  // namespace syncsim::ring_packing_test
