// Rings where no set of cycles over direct links is to be had: orders over routes.

#include <doctest/doctest.h>

#include "tests/topology/embedding_support.h"

namespace syncsim::embedding_order_test {

using namespace testing::embedding;

TEST_CASE("rings are indices into the given ranks, in whatever order they come") {
  const std::vector<NodeId> shuffled = {3, 0, 2, 1};
  const std::vector<Ring> rings = rings_of(testing::dgx1v(), shuffled);
  // Among gpus 0 to 3: 0-3, 1-2 and 2-3 double, 0-1, 0-2 and 1-3 single.
  std::vector<MeshEdge> edges;
  for (const MeshEdge& edge : testing::hybrid_cube_mesh()) {
    const auto a = std::find(shuffled.begin(), shuffled.end(), edge.a);
    const auto b = std::find(shuffled.begin(), shuffled.end(), edge.b);
    if (a == shuffled.end() || b == shuffled.end()) continue;
    const auto [low, high] = std::minmax({a - shuffled.begin(), b - shuffled.begin()});
    edges.push_back({static_cast<NodeId>(low), static_cast<NodeId>(high), edge.count});
  }
  check_packing(rings, 4, edges);
  CHECK(sum(rings) == 2);
  CHECK(rings_of(testing::dgx1v(), {3, 0, 2}) == std::vector<Ring>{{{0, 1, 2}, 1}});
}

TEST_CASE("behind a switch there is one ring in the given order") {
  CHECK(rings_of(testing::star(5)) == std::vector<Ring>{{ascending(5), 1}});
  CHECK(rings_of(testing::dgx2()) == std::vector<Ring>{{ascending(16), 1}});
  CHECK(rings_of(testing::star(5), {4, 2, 0}) == std::vector<Ring>{{{0, 1, 2}, 1}});
}

TEST_CASE("without direct links the nearest rank comes next") {
  CHECK(rings_of(testing::two_socket_tree()) == std::vector<Ring>{{ascending(8), 1}});
  // gpu0, gpu4, gpu1, gpu5: the two of a switch first, then the other socket's.
  CHECK(rings_of(testing::two_socket_tree(), {0, 4, 1, 5}) == std::vector<Ring>{{{0, 2, 1, 3}, 1}});
}

TEST_CASE("direct links without a cycle through all ranks: the nearest by class first") {
  // gpu0 - gpu3 - gpu1 by NVLink, no way back but through the tree.
  Topology::Parts parts = testing::direct_mesh(4, {{0, 3, 1}, {1, 3, 1}});
  const NodeId hub = testing::add_node(parts, "switch0", NodeKind::switch_);
  for (NodeId gpu = 0; gpu < 4; ++gpu)
    testing::add_cable(parts, gpu, hub, testing::link_of(LinkKind::pcie, testing::gigabytes(16)));
  CHECK(rings_of(parts) == std::vector<Ring>{{{0, 2, 1, 3}, 1}});
}

TEST_CASE("more than 16 ranks: the given order when cables join it into a cycle") {
  std::vector<NodeId> order(20);
  std::iota(order.begin(), order.end(), NodeId{0});
  std::vector<MeshEdge> edges = ring_edges(order, 2);
  edges.push_back({3, 9, 1});  // a chord
  CHECK(rings_of(testing::direct_mesh(20, edges)) == std::vector<Ring>{{ascending(20), 2}});
}

TEST_CASE("more than 16 ranks: the only cycle when every rank has two direct neighbours") {
  std::vector<NodeId> order;
  for (NodeId i = 0; i < 20; ++i) order.push_back(i * 7 % 20);
  const std::vector<Ring> rings = rings_of(testing::direct_mesh(20, ring_edges(order, 3)));
  REQUIRE(rings.size() == 1);
  CHECK(rings[0].order == Order(order.begin(), order.end()));
  CHECK(rings[0].multiplicity == 3);
}

TEST_CASE("more than 16 ranks: otherwise the given order, over routes") {
  CHECK(rings_of(testing::star(40)) == std::vector<Ring>{{ascending(40), 1}});
  // Two separate cycles of ten are no ring of twenty.
  std::vector<MeshEdge> edges;
  for (NodeId i = 0; i < 20; ++i) edges.push_back({i, (i + 2) % 20, 1});
  CHECK(rings_of(testing::direct_mesh(20, edges)) == std::vector<Ring>{{ascending(20), 1}});
}

}  // namespace syncsim::embedding_order_test
