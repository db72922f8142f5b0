// Disjoint Hamiltonian cycles of tori and meshes.

#include "sim/topology/cycle_cover.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "sim/topology/embedding.h"
#include "tests/support/machines.h"
#include "tests/support/shelf.h"

namespace syncsim::cycle_cover_test {
namespace {

using Edges = std::vector<std::pair<int, int>>;
using Cycles = std::vector<std::vector<int>>;

struct Grid {
  int places = 1;
  Edges edges;
};

Grid grid(const std::vector<int>& lengths, bool wraps) {
  Grid result;
  for (const int length : lengths) result.places *= length;
  int stride = 1;
  for (const int length : lengths) {
    for (int place = 0; place < result.places; ++place) {
      const int here = place / stride % length;
      if (here + 1 < length) result.edges.emplace_back(place, place + stride);
      if (here + 1 == length && wraps && length > 2)
        result.edges.emplace_back(place - here * stride, place);
    }
    stride *= length;
  }
  return result;
}

// Cycles of the grid's edges that pass every place once, and no edge twice.
bool are_disjoint(const Cycles& cycles, const Grid& grid) {
  std::set<std::pair<int, int>> left(grid.edges.begin(), grid.edges.end());
  for (const std::vector<int>& cycle : cycles) {
    const std::set<int> places(cycle.begin(), cycle.end());
    if (std::ssize(places) != grid.places || std::ssize(cycle) != grid.places) return false;
    for (std::size_t i = 0; i < cycle.size(); ++i)
      if (left.erase(std::minmax({cycle[i], cycle[(i + 1) % cycle.size()]})) == 0) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a torus of D dimensions falls into D cycles, whatever its lengths") {
  for (const std::vector<int>& lengths : {std::vector{3, 3},
                                          {4, 5},
                                          {3, 7},
                                          {16, 16},
                                          {3, 3, 3},
                                          {4, 4, 4},
                                          {4, 5, 6},
                                          {3, 3, 3, 3},
                                          {8, 8, 4}}) {
    const Grid torus = grid(lengths, true);
    CAPTURE(torus.places);
    const Cycles cycles = edge_disjoint_cycles(torus.places, torus.edges);
    CHECK(cycles.size() == lengths.size());
    CHECK(are_disjoint(cycles, torus));
  }
}

TEST_CASE("a mesh has as many cycles as half of its corners' edges, none with an odd number") {
  struct Row {
    std::vector<int> lengths;
    std::size_t cycles;
  };
  for (const Row& row : {Row{{6, 6}, 1}, Row{{10, 10}, 1}, Row{{4, 4, 4}, 1}, Row{{5, 5}, 0},
                         Row{{3, 3, 3}, 0}, Row{{2, 2, 2, 2, 2}, 2}}) {
    const Grid mesh = grid(row.lengths, false);
    CAPTURE(mesh.places);
    const Cycles cycles = edge_disjoint_cycles(mesh.places, mesh.edges);
    CHECK(cycles.size() == row.cycles);
    CHECK(are_disjoint(cycles, mesh));
  }
}

TEST_CASE("the rings of a TPU v4 cube use every link once a direction") {
  const Topology cube = testing::shelf("tpu_v4_4x4x4");
  const std::vector<Ring> rings = find_rings(cube, cube.ranks());
  REQUIRE(rings.size() == 3);
  std::set<std::pair<int, int>> hops;
  for (const Ring& ring : rings) {
    CHECK(ring.multiplicity == 1);
    CHECK(ring.order.front() == 0);
    CHECK(ring.order[1] < ring.order.back());
    for (std::size_t i = 0; i < ring.order.size(); ++i)
      hops.insert(std::minmax({ring.order[i], ring.order[(i + 1) % ring.order.size()]}));
  }
  CHECK(hops.size() == cube.links().size() / 2);
  CHECK(find_rings(cube, cube.ranks()) == rings);
}

}  // namespace syncsim::cycle_cover_test
