// Disjoint spanning trees against Tutte and Nash-Williams: a multigraph has k of them if and only
// if every partition of its nodes into parts is crossed by at least k (parts - 1) edges.

#include "strategies/packing/forests.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <set>

namespace syncsim::strategy::forests_test {
namespace {

int most_trees_by_partitions(int nodes, const std::vector<Edge>& edges) {
  int most = std::numeric_limits<int>::max();
  std::vector<int> part(static_cast<std::size_t>(nodes), 0);
  const std::function<void(int, int)> place = [&](int node, int parts) {
    if (node == nodes) {
      if (parts < 2) return;
      const auto crossing = std::count_if(edges.begin(), edges.end(), [&](const Edge& edge) {
        return part[static_cast<std::size_t>(edge.a)] != part[static_cast<std::size_t>(edge.b)];
      });
      most = std::min(most, static_cast<int>(crossing) / (parts - 1));
      return;
    }
    for (int number = 0; number <= parts; ++number) {
      part[static_cast<std::size_t>(node)] = number;
      place(node + 1, std::max(parts, number + 1));
    }
  };
  place(0, 0);
  return most;
}

bool spans(int nodes, const std::vector<Edge>& tree) {
  if (static_cast<int>(tree.size()) != nodes - 1) return false;
  std::vector<int> group(static_cast<std::size_t>(nodes));
  std::iota(group.begin(), group.end(), 0);
  for (const Edge& edge : tree) {
    const int from = group[static_cast<std::size_t>(edge.a)];
    const int to = group[static_cast<std::size_t>(edge.b)];
    if (from == to) return false;
    std::replace(group.begin(), group.end(), from, to);
  }
  return true;
}

bool uses_no_edge_twice(const std::vector<std::vector<Edge>>& trees, std::vector<Edge> edges) {
  for (const auto& tree : trees)
    for (const Edge& edge : tree) {
      const auto found = std::find(edges.begin(), edges.end(), edge);
      if (found == edges.end()) return false;
      edges.erase(found);
    }
  return true;
}

}  // namespace

TEST_CASE("as many disjoint spanning trees are found as every partition allows") {
  std::mt19937 random(41);
  for (int i = 0; i < 300; ++i) {
    const int nodes = 2 + static_cast<int>(random() % 6);
    std::vector<Edge> edges;
    for (std::size_t edge = 0; edge < random() % 25; ++edge) {
      const int a = static_cast<int>(random() % static_cast<unsigned>(nodes));
      const int b = static_cast<int>(random() % static_cast<unsigned>(nodes));
      if (a != b) edges.push_back({a, b});
    }
    const int most = most_trees_by_partitions(nodes, edges);
    CAPTURE(i);
    CHECK(!disjoint_trees(nodes, edges, most + 1));
    if (most == 0) continue;
    const auto trees = disjoint_trees(nodes, edges, most);
    REQUIRE(trees);
    CHECK(static_cast<int>(trees->size()) == most);
    for (const auto& tree : *trees) CHECK(spans(nodes, tree));
    CHECK(uses_no_edge_twice(*trees, edges));
  }
}

TEST_CASE("a complete graph of n nodes falls apart into n / 2 trees") {
  for (const int nodes : {2, 4, 8, 16}) {
    std::vector<Edge> edges;
    for (int a = 0; a < nodes; ++a)
      for (int b = a + 1; b < nodes; ++b) edges.push_back({a, b});
    CHECK(disjoint_trees(nodes, edges, nodes / 2));
    CHECK(!disjoint_trees(nodes, edges, nodes / 2 + 1));
  }
}

TEST_CASE("one node has a tree of no edges") {
  const auto trees = disjoint_trees(1, {}, 3);
  REQUIRE(trees);
  CHECK(trees->size() == 3);
  CHECK(trees->front().empty());
}

}  // namespace syncsim::strategy::forests_test
