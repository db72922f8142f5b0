// fully_connected, mesh, torus and hypercube: cables, degrees, distances and cuts by formula.

#include <doctest/doctest.h>

#include <bit>
#include <cstdlib>

#include "tests/topology/kinds/generated.h"

namespace syncsim::testing::lattices_test {
namespace {

// Of a rank in a grid, the last dimension fastest.
std::vector<int> position(int rank, const std::vector<int>& lengths) {
  std::vector<int> result(lengths.size());
  for (std::size_t i = lengths.size(); i-- > 0;) {
    result[i] = rank % lengths[i];
    rank /= lengths[i];
  }
  return result;
}

// The sum over all dimensions of the shorter way.
int grid_distance(int from, int to, const std::vector<int>& lengths,
                  const std::vector<bool>& closed) {
  const std::vector<int> a = position(from, lengths);
  const std::vector<int> b = position(to, lengths);
  int sum = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const int straight = std::abs(a[i] - b[i]);
    sum += closed[i] ? std::min(straight, lengths[i] - straight) : straight;
  }
  return sum;
}

void check_distances(const Topology& grid, const std::vector<int>& lengths,
                     const std::vector<bool>& closed) {
  const auto hops = distances(grid);
  for (std::size_t from = 0; from < hops.size(); ++from)
    for (std::size_t to = 0; to < hops.size(); ++to)
      CHECK(hops[from][to] ==
            grid_distance(static_cast<int>(from), static_cast<int>(to), lengths, closed));
}

}  // namespace

TEST_CASE("n fully connected gpus have n(n-1)/2 cables and are one hop apart") {
  CHECK(cables(generated("fully_connected", R"("gpus": 3)")) ==
        Names{"gpu0-gpu1", "gpu0-gpu2", "gpu1-gpu2"});
  const Topology eight = generated("fully_connected", R"("gpus": 8)");
  CHECK(count_cables(eight) == 8 * 7 / 2);
  CHECK(degree(eight, "gpu") == 7);
  CHECK(diameter(eight) == 1);
  CHECK(cut(eight, [](NodeId node) { return node < 4; }) == 4 * 4);
  CHECK(!eight.nodes()[0].forwards);
  CHECK(generated("fully_connected", R"("gpus": 1)").links().empty());
}

TEST_CASE("a mesh joins neighbours along each dimension, the last one fastest") {
  const Topology mesh = generated("mesh", R"("dimensions": [2, 3])");
  CHECK(cables(mesh) == Names{"gpu0-gpu3", "gpu1-gpu4", "gpu2-gpu5", "gpu0-gpu1", "gpu1-gpu2",
                              "gpu3-gpu4", "gpu4-gpu5"});
  CHECK(rank_names(mesh) == Names{"gpu0", "gpu1", "gpu2", "gpu3", "gpu4", "gpu5"});
  CHECK(mesh.nodes()[0].forwards);
  CHECK(mesh.name() == "mesh of 2x3");
  CHECK(mesh.description() == "6 gpus in a 2x3 mesh");
}

TEST_CASE("a mesh of a x b x c has abc(3 - 1/a - 1/b - 1/c) cables and Manhattan distances") {
  const Topology mesh = generated("mesh", R"("dimensions": [3, 4, 2])");
  CHECK(count_cables(mesh) == 3 * 4 * 2 * 3 - 4 * 2 - 3 * 2 - 3 * 4);
  check_distances(mesh, {3, 4, 2}, {false, false, false});
  CHECK(diameter(mesh) == 2 + 3 + 1);
  const Topology square = generated("mesh", R"("dimensions": [4, 4])");
  CHECK(cut(square, [](NodeId node) { return node < 8; }) == 4);
}

TEST_CASE("a torus of n^d has d n^d cables, 2d a gpu, and wrapped distances") {
  const Topology torus = generated("torus", R"("dimensions": [4, 4, 4])");
  CHECK(count_cables(torus) == 3 * 64);
  CHECK(degree(torus, "gpu") == 6);
  check_distances(torus, {4, 4, 4}, {true, true, true});
  CHECK(diameter(torus) == 3 * 2);
  CHECK(cut(torus, [](NodeId node) { return node < 32; }) == 2 * 16);
  CHECK(torus.name() == "torus of 4x4x4");
}

TEST_CASE(
    "a dimension of two has one cable between its two, wrapped or not - one of one has none") {
  CHECK(cables(generated("torus", R"("dimensions": [2, 1, 2])")) ==
        cables(generated("mesh", R"("dimensions": [2, 1, 2])")));
  CHECK(count_cables(generated("torus", R"("dimensions": [2, 2])")) == 4);
  CHECK(generated("torus", R"("dimensions": [1])").links().empty());
}

TEST_CASE("a torus closes the dimensions that wrap, and no others") {
  const Topology torus = generated("torus", R"("dimensions": [3, 5], "wrap": [false, true])");
  CHECK(count_cables(torus) == 2 * 5 + 3 * 5);
  check_distances(torus, {3, 5}, {false, true});
  CHECK(cables(generated("torus", R"("dimensions": [3, 5], "wrap": [false, false])")) ==
        cables(generated("mesh", R"("dimensions": [3, 5])")));
}

TEST_CASE("a torus of one dimension is a ring") {
  CHECK(cables(generated("torus", R"("dimensions": [7])")) ==
        cables(generated("ring", R"("gpus": 7)")));
}

TEST_CASE("a hypercube of d dimensions has d 2^(d-1) cables and Hamming distances") {
  const Topology cube = generated("hypercube", R"("dimension": 4)");
  CHECK(cube.ranks().size() == 16);
  CHECK(count_cables(cube) == 4 * 8);
  CHECK(degree(cube, "gpu") == 4);
  const auto hops = distances(cube);
  for (unsigned from = 0; from < 16; ++from)
    for (unsigned to = 0; to < 16; ++to) CHECK(hops[from][to] == std::popcount(from ^ to));
  for (const NodeId bit : {1, 2, 4, 8})
    CHECK(cut(cube, [&](NodeId node) { return (node & bit) != 0; }) == 8);
  CHECK(cube.name() == "hypercube of 16");
  CHECK(cube.description() == "16 gpus in a hypercube of 4 dimensions");
}

TEST_CASE("wrong dimensions are refused, huge ones at once") {
  CHECK(kind_refusal("mesh", R"("name": "m")") ==
        R"(m.json:/: "dimensions" is missing; add "dimensions": [4, 4])");
  CHECK(kind_refusal("mesh", R"("dimensions": 4)") ==
        "m.json:/dimensions: is the number 4; write a list [...]");
  CHECK(kind_refusal("mesh", R"("dimensions": [])") ==
        "m.json:/dimensions: 0 dimensions; write 1 to 20, as in [4, 4]");
  CHECK(kind_refusal("mesh", R"("dimensions": [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1])") ==
        "m.json:/dimensions: 21 dimensions; write 1 to 20, as in [4, 4]");
  CHECK(kind_refusal("torus", R"("dimensions": [4, 0])") ==
        "m.json:/dimensions/1: 0 is out of range; write a whole number from 1 to 1000000");
  CHECK(kind_refusal("torus", R"("dimensions": [1000000, 1000000, 1000000, 1000000])") ==
        "m.json:/dimensions: there would be more than 1000000 places; write smaller dimensions");
  CHECK(kind_refusal("mesh", R"("dimensions": [4], "gpus": 4)")
            .starts_with(R"(m.json:/gpus: unknown key "gpus")"));
  CHECK(kind_refusal("mesh", R"("dimensions": [4], "wrap": [true])")
            .starts_with(R"(m.json:/wrap: unknown key "wrap")"));
  CHECK(kind_refusal("torus", R"("dimensions": [4, 4], "wrap": [true])") ==
        "m.json:/wrap: says 1 of 2 dimensions; write true or false for each");
  CHECK(kind_refusal("torus", R"("dimensions": [4], "wrap": [1])") ==
        "m.json:/wrap/0: is the number 1; write true or false");
  CHECK(kind_refusal("hypercube", R"("dimension": 20)") ==
        "m.json:/dimension: 20 is out of range; write a whole number from 1 to 19");
  CHECK(kind_refusal("fully_connected", R"("gpus": 1000000)") ==
        "m.json:/gpus: the machine would have 500 G cables; build one of at most 2000000");
}

TEST_CASE("at the places of a lattice may be machines, each behind a router") {
  const Topology ring = generated("ring", boxes(3) + R"(, "host_link": {"kind": "network",
                                                      "bandwidth": "5 GB/s"})");
  CHECK(ring.name() == "ring of 3 box");
  CHECK(rank_names(ring) ==
        Names{"node0/gpu0", "node0/gpu1", "node1/gpu0", "node1/gpu1", "node2/gpu0", "node2/gpu1"});
  Names own = cables(ring);
  own.erase(own.begin(), own.begin() + 3 * 4);
  CHECK(own == Names{"node0/nic0-router0", "node0/nic1-router0", "node1/nic0-router1",
                     "node1/nic1-router1", "node2/nic0-router2", "node2/nic1-router2",
                     "router0-router1", "router1-router2", "router2-router0"});
  CHECK(ring.links()[2 * 12].bandwidth == Bandwidth{5e9});
  CHECK(ring.links().back().bandwidth == Bandwidth{10e9});
  const std::string machine = std::string(R"(, "machine": )") + kBox;
  const Topology torus = generated("torus", R"("dimensions": [3, 3])" + machine);
  CHECK(count_cables(torus) == 9 * 4 + 9 * 2 + 18);
  CHECK(torus.links()[2 * 9 * 4].bandwidth == Bandwidth{10e9});
  CHECK(torus.name() == "torus of 3x3 box");
  CHECK(degree(generated("hypercube", R"("dimension": 3)" + machine), "router") == 2 + 3);
  CHECK(degree(generated("mesh", R"("dimensions": [2, 2])" + machine), "router") == 2 + 2);
  CHECK(degree(generated("fully_connected", boxes(4)), "router") == 2 + 3);
  CHECK(kind_refusal("ring", R"("gpus": 3, "host_link": {})") ==
        R"(m.json:/host_link: gpus are joined to each other, not to switches; add a "machine")");
}

}  // namespace syncsim::testing::lattices_test
