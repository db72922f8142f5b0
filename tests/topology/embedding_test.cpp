#include <doctest/doctest.h>

#include "tests/topology/embedding_support.h"

namespace syncsim::embedding_test {

using namespace testing::embedding;

TEST_CASE("one rank is a ring of itself") {
  CHECK(rings_of(testing::star(2), {1}) == std::vector<Ring>{{{0}, 1}});
}

TEST_CASE("two ranks are one ring with as many lanes as cables join them, at least one") {
  CHECK(rings_of(testing::dgx1v(), {0, 1}) == std::vector<Ring>{{{0, 1}, 1}});
  CHECK(rings_of(testing::dgx1v(), {0, 3}) == std::vector<Ring>{{{0, 1}, 2}});
  CHECK(rings_of(testing::star(2)) == std::vector<Ring>{{{0, 1}, 1}});
  Topology::Parts parts = testing::direct_mesh(2, {{0, 1, 4}});
  CHECK(rings_of(parts) == std::vector<Ring>{{{0, 1}, 4}});
}

TEST_CASE("the DGX-1V mesh is one double and one single ring") {
  const std::vector<Ring> rings = rings_of(testing::dgx1v());
  CHECK(rings == std::vector<Ring>{{{0, 3, 2, 1, 5, 6, 7, 4}, 2}, {{0, 1, 3, 7, 5, 4, 6, 2}, 1}});
  check_packing(rings, 8, testing::hybrid_cube_mesh());
}

TEST_CASE("the DGX-1P mesh, every cable single, is two rings") {
  const std::vector<Ring> rings = rings_of(testing::dgx1p());
  CHECK(rings.size() == 2);
  CHECK(sum(rings) == 2);
  check_packing(rings, 8, single_edges());
}

// Each ring takes two cables of every die: floor(7 / 2).
TEST_CASE("16 MI250 dies, 7 cables each, are three rings") {
  const std::vector<MeshEdge> edges = {
      {0, 1, 4},   {0, 4, 2},   {0, 8, 1},   {1, 5, 1},   {1, 9, 1},   {1, 10, 1},  {2, 3, 4},
      {2, 6, 1},   {2, 9, 1},   {2, 10, 1},  {3, 7, 2},   {3, 11, 1},  {4, 5, 4},   {4, 6, 1},
      {5, 6, 1},   {5, 7, 1},   {6, 7, 4},   {8, 9, 4},   {8, 12, 2},  {9, 13, 1},  {10, 11, 4},
      {10, 14, 1}, {11, 15, 2}, {12, 13, 4}, {12, 14, 1}, {13, 14, 1}, {13, 15, 1}, {14, 15, 4}};
  const std::vector<Ring> rings = rings_of(testing::direct_mesh(16, edges, 50));
  CHECK(sum(rings) == 3);
  check_packing(rings, 16, edges);
}

TEST_CASE("a full mesh of n ranks is (n - 1) / 2 rings") {
  for (const int ranks : {3, 4, 5, 6, 7, 8}) {
    CAPTURE(ranks);
    const std::vector<Ring> rings = rings_of(testing::full_mesh(ranks));
    CHECK(sum(rings) == (ranks - 1) / 2);
    check_packing(rings, ranks, full_edges(ranks, 1));
  }
}

TEST_CASE("a full mesh too dense to list its cycles still gets all its rings") {
  for (const int ranks : {10, 12, 14, 15, 16}) {
    CAPTURE(ranks);
    const std::vector<Ring> rings = rings_of(testing::full_mesh(ranks));
    CHECK(sum(rings) == (ranks - 1) / 2);
    check_packing(rings, ranks, full_edges(ranks, 1));
  }
}

TEST_CASE("four ranks with c cables a pair are three rings of c / 2") {
  for (const int cables : {2, 4, 6}) {
    const std::vector<Ring> rings = rings_of(testing::direct_mesh(4, full_edges(4, cables)));
    CHECK(rings == std::vector<Ring>{{{0, 1, 2, 3}, cables / 2},
                                     {{0, 1, 3, 2}, cables / 2},
                                     {{0, 2, 1, 3}, cables / 2}});
  }
}

TEST_CASE("of equal sums the fewest rings are chosen") {
  // One ring of 3 cables carries 3; so would three single rings.
  const std::vector<Ring> rings =
      rings_of(testing::direct_mesh(6, ring_edges({0, 4, 1, 3, 5, 2}, 3)));
  CHECK(rings == std::vector<Ring>{{{0, 2, 5, 3, 1, 4}, 3}});
}

TEST_CASE("a lone ring is single, whatever the rates of its cables") {
  Topology::Parts parts = testing::direct_mesh(3, {{0, 1, 1}, {1, 2, 1}});
  testing::add_cable(parts, 2, 0, testing::link_of(LinkKind::xgmi, testing::gigabytes(50)));
  CHECK(rings_of(parts) == std::vector<Ring>{{{0, 1, 2}, 1}});
  for (LinkId link = 0; link < 4; ++link) set_gigabytes(parts, link, 50);
  parts.links[0].count = parts.links[1].count = 2;
  CHECK(rings_of(parts) == std::vector<Ring>{{{0, 1, 2}, 1}});
}

// With 0-1 at 25 GB/s and the others at 50, a + b <= 25, a + c <= 50 and b + c <= 50: only 12.5,
// 12.5 and 37.5 carry 62.5. The last shares links with the others, so it is three single rings.
TEST_CASE("a cable counts with its slower direction - rings of unlike multiplicity share evenly") {
  Topology::Parts parts = testing::direct_mesh(4, full_edges(4, 2));
  set_gigabytes(parts, 1, 25);
  const std::vector<Ring> rings = rings_of(parts);
  CHECK(rings == std::vector<Ring>{{{0, 1, 2, 3}, 1},
                                   {{0, 1, 3, 2}, 1},
                                   {{0, 2, 1, 3}, 1},
                                   {{0, 2, 1, 3}, 1},
                                   {{0, 2, 1, 3}, 1}});
  CHECK(gigabytes_of(rings, parts) == doctest::Approx(62.5));
}

TEST_CASE("rings of unlike multiplicity that share no link stay whole") {
  Topology::Parts parts = testing::dgx1v();
  set_link_gigabytes(parts, 0, 3, 60);
  CHECK(rings_of(parts) ==
        std::vector<Ring>{{{0, 3, 2, 1, 5, 6, 7, 4}, 2}, {{0, 1, 3, 7, 5, 4, 6, 2}, 1}});
}

TEST_CASE("a link too thin to matter is left out") {
  for (const double thin : {0.01, 0.3, 1.0}) {
    CAPTURE(thin);
    std::vector<MeshEdge> edges = ring_edges({0, 1, 2, 3}, 2);
    edges.push_back({0, 2, 1});
    Topology::Parts parts = testing::direct_mesh(4, edges);
    set_link_gigabytes(parts, 0, 2, thin);
    CHECK(rings_of(parts) == std::vector<Ring>{{{0, 1, 2, 3}, 1}});
  }
}

TEST_CASE("a thin link that every ring needs is used") {
  for (const double thin : {0.01, 0.3, 1.0, 7.0}) {
    CAPTURE(thin);
    Topology::Parts parts = testing::direct_mesh(4, ring_edges({0, 2, 1, 3}, 2));
    set_link_gigabytes(parts, 0, 2, thin);
    const std::vector<Ring> rings = rings_of(parts);
    CHECK(rings == std::vector<Ring>{{{0, 2, 1, 3}, 1}});
    CHECK(gigabytes_of(rings, parts) == doctest::Approx(thin));
  }
}

TEST_CASE("two ranks are one ring whatever the rates of their cables") {
  for (const double odd : {0.3, 10.0, 26.0}) {
    CAPTURE(odd);
    Topology::Parts parts = testing::direct_mesh(2, {{0, 1, 1}});
    testing::add_cable(parts, 0, 1, testing::link_of(LinkKind::xgmi, testing::gigabytes(odd)));
    const std::vector<Ring> rings = rings_of(parts);
    REQUIRE(rings.size() == 1);
    CHECK(rings[0].order == Order{0, 1});
  }
}

// Half of gpu0's links bounds the rings, (100 + x) / 2; from 50 on the others' 150 do.
TEST_CASE("the DGX-1V mesh with one odd link fills the thinnest rank's links") {
  for (const double odd : {5.0, 10.0, 12.5, 20.0, 25.0, 30.0, 37.5, 40.0, 45.0, 60.0, 75.0}) {
    CAPTURE(odd);
    Topology::Parts parts = testing::dgx1v();
    set_link_gigabytes(parts, 0, 3, odd);
    CHECK(gigabytes_of(rings_of(parts), parts) ==
          doctest::Approx(std::min(100 + odd, 150.0) / 2).epsilon(1e-9));
  }
}

TEST_CASE("a faster link never makes the rings slower, nor slower than without it") {
  for (const double other : {50.0, 60.0})
    for (const auto& [a, b] : {std::pair<NodeId, NodeId>(0, 3), {0, 1}, {4, 7}, {2, 6}}) {
      Topology::Parts parts = testing::dgx1v();
      set_link_gigabytes(parts, 5, 6, other);
      Topology::Parts without = parts;
      std::erase_if(without.links, [&](const Link& link) {
        return std::minmax(link.from, link.to) == std::minmax(a, b);
      });
      double slower = gigabytes_of(rings_of(without), without);
      for (const double odd : {0.5,  1.7,  5.0,  6.3,  10.0, 12.5, 13.0, 20.0, 22.9, 25.0,
                               26.0, 30.0, 37.5, 40.0, 45.0, 49.0, 50.0, 60.0, 75.0, 100.0}) {
        CAPTURE(other);
        CAPTURE(odd);
        set_link_gigabytes(parts, a, b, odd);
        const double now = gigabytes_of(rings_of(parts), parts);
        CHECK(now >= slower * (1 - 1e-9));
        slower = now;
      }
    }
}

}  // namespace syncsim::embedding_test
