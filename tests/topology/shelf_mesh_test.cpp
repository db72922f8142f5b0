// The shelf's direct meshes: who is joined to whom, their rings, and the sameness of their parts.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "sim/topology/embedding.h"
#include "tests/support/shelf.h"

namespace syncsim::shelf_mesh_test {
namespace {

using testing::direct_cables;
using testing::shelf;

using Matrix = std::vector<std::vector<int>>;

Matrix mesh_of(const std::string& name, LinkKind kind = LinkKind::nvlink) {
  const Topology topology = shelf(name);
  const int ranks = static_cast<int>(topology.ranks().size());
  Matrix mesh(topology.ranks().size(), std::vector<int>(topology.ranks().size()));
  for (int a = 0; a < ranks; ++a)
    for (int b = 0; b < ranks; ++b)
      mesh[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] =
          direct_cables(topology, kind, a, b);
  return mesh;
}

// Of so many ranks, every pair joined by so many cables.
Matrix full(std::size_t ranks, int cables) {
  Matrix mesh(ranks, std::vector<int>(ranks, cables));
  for (std::size_t i = 0; i < ranks; ++i) mesh[i][i] = 0;
  return mesh;
}

int rings_in(const std::string& name) {
  const Topology topology = shelf(name);
  int sum = 0;
  for (const Ring& ring : find_rings(topology, topology.ranks())) sum += ring.multiplicity;
  return sum;
}

using Subset = std::vector<std::size_t>;

bool is_connected(const Matrix& mesh, const Subset& subset) {
  std::vector<bool> reached(mesh.size());
  Subset ahead = {subset[0]};
  reached[subset[0]] = true;
  std::size_t count = 0;
  while (!ahead.empty()) {
    const std::size_t at = ahead.back();
    ahead.pop_back();
    ++count;
    for (const std::size_t next : subset)
      if (mesh[at][next] > 0 && !reached[next]) {
        reached[next] = true;
        ahead.push_back(next);
      }
  }
  return count == subset.size();
}

// The cables of the subset's pairs in its order.
std::vector<int> pairs_of(const Matrix& mesh, const Subset& subset) {
  std::vector<int> pairs;
  for (std::size_t i = 0; i < subset.size(); ++i)
    for (std::size_t j = i + 1; j < subset.size(); ++j) pairs.push_back(mesh[subset[i]][subset[j]]);
  return pairs;
}

// The same for subsets that can be laid onto each other, and for no others.
std::vector<int> canonical(const Matrix& mesh, Subset subset) {
  std::vector<int> best;
  do {
    best = std::max(best, pairs_of(mesh, subset));
  } while (std::next_permutation(subset.begin(), subset.end()));
  return best;
}

int automorphisms(const Matrix& mesh) {
  Subset order(mesh.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::vector<int> pairs = pairs_of(mesh, order);
  int count = 0;
  do {
    count += pairs_of(mesh, order) == pairs ? 1 : 0;
  } while (std::next_permutation(order.begin(), order.end()));
  return count;
}

// Classes of connected subsets of 3 to 8 GPUs.
std::size_t connected_classes(const Matrix& mesh) {
  std::set<std::vector<int>> classes;
  for (unsigned mask = 0; mask < 1U << mesh.size(); ++mask) {
    Subset subset;
    for (std::size_t i = 0; i < mesh.size(); ++i)
      if ((mask >> i & 1U) == 1) subset.push_back(i);
    if (subset.size() >= 3 && is_connected(mesh, subset)) classes.insert(canonical(mesh, subset));
  }
  return classes.size();
}

}  // namespace

TEST_CASE("dgx1p has each edge of dgx1v once, p3_16xlarge has them all") {
  Matrix mesh = mesh_of("dgx1v");
  CHECK(mesh_of("p3_16xlarge") == mesh);
  for (std::vector<int>& row : mesh)
    for (int& cables : row) cables = std::min(cables, 1);
  CHECK(mesh_of("dgx1p") == mesh);
}

TEST_CASE("dgx1p is two quads with a link between like corners") {
  const Matrix mesh = mesh_of("dgx1p");
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = 0; b < 8; ++b)
      CHECK(mesh[a][b] == (a != b && (a / 4 == b / 4 || a % 4 == b % 4) ? 1 : 0));
}

TEST_CASE("the quads and mi300x are full meshes - a100_pcie_bridged is four pairs") {
  CHECK(mesh_of("v100_quad") == full(4, 2));
  CHECK(mesh_of("a100_nv4_quad") == full(4, 4));
  CHECK(mesh_of("gh200_quad") == full(4, 6));
  CHECK(mesh_of("mi300x", LinkKind::xgmi) == full(8, 1));
  const Matrix pairs = mesh_of("a100_pcie_bridged");
  for (std::size_t a = 0; a < 8; ++a)
    for (std::size_t b = 0; b < 8; ++b) CHECK(pairs[a][b] == (a != b && a / 2 == b / 2 ? 12 : 0));
}

TEST_CASE("mi250 is the box of ForestColl") {
  // Cables from each GCD to those after it (liangyuRain/ForestColl, topologies.py).
  const std::vector<std::map<std::size_t, int>> kAhead = {{{1, 4}, {4, 2}, {8, 1}},
                                                          {{5, 1}, {9, 1}, {10, 1}},
                                                          {{3, 4}, {6, 1}, {9, 1}, {10, 1}},
                                                          {{7, 2}, {11, 1}},
                                                          {{5, 4}, {6, 1}},
                                                          {{6, 1}, {7, 1}},
                                                          {{7, 4}},
                                                          {},
                                                          {{9, 4}, {12, 2}},
                                                          {{13, 1}},
                                                          {{11, 4}, {14, 1}},
                                                          {{15, 2}},
                                                          {{13, 4}, {14, 1}},
                                                          {{14, 1}, {15, 1}},
                                                          {{15, 4}},
                                                          {}};
  Matrix expected(16, std::vector<int>(16));
  for (std::size_t a = 0; a < 16; ++a)
    for (const auto& [b, cables] : kAhead[a]) expected[a][b] = expected[b][a] = cables;
  CHECK(mesh_of("mi250", LinkKind::xgmi) == expected);
}

TEST_CASE("six links leave each package of mi250") {
  const Matrix mesh = mesh_of("mi250", LinkKind::xgmi);
  for (std::size_t package = 0; package < 8; ++package) {
    int leaving = 0;
    for (const std::size_t gcd : {2 * package, 2 * package + 1})
      for (std::size_t other = 0; other < 16; ++other)
        leaving += other / 2 == package ? 0 : mesh[gcd][other];
    CHECK(leaving == 6);
  }
}

TEST_CASE("each gpu has its links to every NVSwitch") {
  struct Planes {
    std::string name;
    std::vector<int> links;
  };
  const std::vector<Planes> machines = {{"dgx_a100", {2, 2, 2, 2, 2, 2}},
                                        {"hgx_h100", {4, 5, 5, 4}},
                                        {"hgx_h200", {4, 5, 5, 4}},
                                        {"hgx_b200", {9, 9}},
                                        {"gb200_nvl72", std::vector<int>(18, 1)}};
  for (const Planes& expected : machines) {
    CAPTURE(expected.name);
    const Topology topology = shelf(expected.name);
    for (const NodeId gpu : topology.ranks())
      for (std::size_t plane = 0; plane < expected.links.size(); ++plane)
        CHECK(testing::cables(topology, LinkKind::nvlink, testing::is(topology.nodes()[gpu].id),
                              testing::is(testing::numbered("nvs", static_cast<int>(plane)))) ==
              expected.links[plane]);
  }
}

TEST_CASE("as many rings are found as half a gpu's links allow") {
  CHECK(rings_in("dgx1p") == 2);
  CHECK(rings_in("dgx1v") == 3);
  CHECK(rings_in("p3_16xlarge") == 3);
  CHECK(rings_in("v100_quad") == 3);
  CHECK(rings_in("a100_nv4_quad") == 6);
  CHECK(rings_in("gh200_quad") == 9);
  CHECK(rings_in("mi250") == 3);
  CHECK(rings_in("mi300x") == 3);
}

TEST_CASE("the rings of dgx1v are unique: a double one and a single one") {
  const Topology topology = shelf("dgx1v");
  CHECK(find_rings(topology, topology.ranks()) ==
        std::vector<Ring>{{{0, 3, 2, 1, 5, 6, 7, 4}, 2}, {{0, 1, 3, 7, 5, 4, 6, 2}, 1}});
}

TEST_CASE("dgx1v can be laid onto itself in 4 ways") {
  CHECK(automorphisms(mesh_of("dgx1v")) == 4);
}

TEST_CASE(
    "connected subsets of 3 to 8 gpus are of 46 kinds on dgx1v and of 14 on dgx1p, as in Blink") {
  CHECK(connected_classes(mesh_of("dgx1v")) == 46);
  CHECK(connected_classes(mesh_of("dgx1p")) == 14);
}

}  // namespace syncsim::shelf_mesh_test
