// Trees over routes, on machines where the best is plain.

#include "strategies/packing/routed_trees.h"

#include <doctest/doctest.h>

#include <set>

#include "tests/support/runs.h"

namespace syncsim::strategy::routed_trees_test {
namespace {

LaidTrees laid(const Topology& machine, Flow flow, const std::vector<int>& roots) {
  return routed_trees(RankGraph(machine, machine.ranks()), flow, roots, Effort::thorough);
}

Topology star(int gpus) { return Topology(testing::star(gpus, Bandwidth{16e9})); }

}  // namespace

TEST_CASE("around a switch a port's rate is shared by all that it has to take in") {
  // n roots: each rank takes in n - 1 trees, so a tree has B / (n - 1).
  for (const Flow flow : {Flow::down, Flow::up}) {
    const LaidTrees trees = laid(star(4), flow, {0, 1, 2, 3});
    CHECK(trees.rate() == doctest::Approx(4 * 16e9 / 3));
    CHECK(trees.most_rate == doctest::Approx(trees.rate()));
  }
}

TEST_CASE("one tree to all ranks around a switch is a chain: no rank sends twice") {
  const LaidTrees trees = laid(star(5), Flow::down, {2});
  CHECK(trees.rate() == doctest::Approx(16e9));
  std::set<int> parents;
  for (const Hop& hop : trees.trees.front().hops) parents.insert(hop.edge.a);
  CHECK(parents.size() == 4);
}

TEST_CASE("every tree has a hop into every rank but its root") {
  const Topology machine = testing::shelf_machine("dgx1v");
  for (const Flow flow : {Flow::down, Flow::up, Flow::both})
    for (const LaidTree& tree : laid(machine, flow, {0, 3, 5}).trees) {
      std::set<int> ranks{tree.root};
      for (const Hop& hop : tree.hops) CHECK(ranks.insert(hop.edge.b).second);
      CHECK(ranks.size() == 8);
    }
}

TEST_CASE("no trees are wider than the prices allow") {
  for (const char* name : {"dgx1v", "mi250", "pcie_8gpu_rootports"}) {
    const Topology machine = testing::shelf_machine(name);
    for (const Flow flow : {Flow::down, Flow::both}) {
      const LaidTrees trees = laid(machine, flow, {0, 1, 2, 3, 0, 1, 2, 3});
      CHECK(trees.rate() <= trees.most_rate * (1 + 1e-9));
    }
  }
}

}  // namespace syncsim::strategy::routed_trees_test
