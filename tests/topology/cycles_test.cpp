#include "sim/topology/cycles.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/vf2_sub_graph_iso.hpp>
#include <set>

#include "tests/support/machines.h"

namespace syncsim::cycles_test {
namespace {

constexpr std::int64_t kPlenty = 10'000'000;

CableMatrix matrix(int ranks, const std::vector<testing::MeshEdge>& edges) {
  CableMatrix cables(ranks);
  for (const testing::MeshEdge& edge : edges)
    cables.set(static_cast<int>(edge.a), static_cast<int>(edge.b), edge.count);
  return cables;
}

CableMatrix full(int ranks) {
  CableMatrix cables(ranks);
  for (int a = 0; a < ranks; ++a)
    for (int b = a + 1; b < ranks; ++b) cables.set(a, b, 1);
  return cables;
}

std::vector<Cycle> all_cycles(const CableMatrix& cables) {
  std::vector<Cycle> cycles;
  const SearchEnd end = search_cycles(neighbours(cables), kPlenty, [&](const Cycle& cycle) {
    cycles.push_back(cycle);
    return true;
  });
  CHECK(end == SearchEnd::exhausted);
  return cycles;
}

// The oracle: embeddings of an n-ring found by VF2, made canonical.
std::set<Cycle> cycles_by_vf2(const CableMatrix& cables, int& embeddings) {
  using Plain = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  const auto ranks = static_cast<std::size_t>(cables.ranks());
  Plain ring(ranks);
  Plain machine(ranks);
  for (std::size_t i = 0; i < ranks; ++i) boost::add_edge(i, (i + 1) % ranks, ring);
  for (int a = 0; a < cables.ranks(); ++a)
    for (int b = a + 1; b < cables.ranks(); ++b)
      if (cables.units(a, b) > 0)
        boost::add_edge(static_cast<std::size_t>(a), static_cast<std::size_t>(b), machine);
  std::set<Cycle> cycles;
  boost::vf2_subgraph_mono(ring, machine, [&](const auto& placed, const auto&) {
    Cycle cycle;
    for (std::size_t i = 0; i < ranks; ++i) cycle.push_back(static_cast<int>(get(placed, i)));
    std::rotate(cycle.begin(), std::find(cycle.begin(), cycle.end(), 0), cycle.end());
    if (cycle[1] > cycle.back()) std::reverse(cycle.begin() + 1, cycle.end());
    cycles.insert(cycle);
    ++embeddings;
    return true;
  });
  return cycles;
}

}  // namespace

TEST_CASE("the cycles of the hybrid cube mesh are the 480 embeddings of an 8-ring by VF2") {
  const CableMatrix mesh = matrix(8, testing::hybrid_cube_mesh());
  int embeddings = 0;
  const std::set<Cycle> expected = cycles_by_vf2(mesh, embeddings);
  const std::vector<Cycle> found = all_cycles(mesh);
  CHECK(embeddings == 480);
  CHECK(found.size() == 480 / (2 * 8));
  CHECK(std::set<Cycle>(found.begin(), found.end()) == expected);
  CHECK(std::is_sorted(found.begin(), found.end()));
}

TEST_CASE("a full mesh of n ranks has (n - 1)! / 2 cycles") {
  CHECK(all_cycles(full(3)).size() == 1);
  CHECK(all_cycles(full(5)).size() == 12);
  CHECK(all_cycles(full(8)).size() == 2520);
}

TEST_CASE("a search ends when it is told to, and when its steps are spent") {
  int calls = 0;
  const auto stop_at_three = [&](const Cycle&) { return ++calls < 3; };
  CHECK(search_cycles(neighbours(full(8)), kPlenty, stop_at_three) == SearchEnd::stopped);
  CHECK(calls == 3);
  CHECK(search_cycles(neighbours(full(8)), 100, [](const Cycle&) { return true; }) ==
        SearchEnd::out_of_steps);
}

TEST_CASE("no more rings than half the cables of the rank that has fewest") {
  CHECK(matrix(8, testing::hybrid_cube_mesh()).most_rings() == 3);
  CHECK(full(8).most_rings() == 3);
  CHECK(matrix(3, {{0, 1, 5}, {1, 2, 2}, {0, 2, 1}}).most_rings() == 1);
}

TEST_CASE("taking a cycle takes its cables, and giving it back restores them") {
  CableMatrix cables = matrix(3, {{0, 1, 5}, {1, 2, 2}, {0, 2, 3}});
  const Cycle cycle = {0, 1, 2};
  CHECK(cables.slack(cycle) == 2);
  cables.take(cycle, 2);
  CHECK(cables.units(1, 0) == 3);
  CHECK(cables.units(2, 1) == 0);
  CHECK(cables.slack(cycle) == 0);
  cables.take(cycle, -2);
  CHECK(cables.slack(cycle) == 2);
}

}  // namespace syncsim::cycles_test
