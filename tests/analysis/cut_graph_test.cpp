// What the bounds see of a machine, and that merging keeps every cut.

#include "sim/analysis/cut_graph.h"

#include <doctest/doctest.h>

#include "sim/analysis/cut_oracle.h"
#include "tests/support/odd_machines.h"
#include "tests/support/schedules.h"

namespace syncsim::cut_graph_test {
namespace {

using testing::gigabytes;

const Collective kCollective = testing::collective_of(CollectiveKind::allreduce, 2, 1);

CutGraph graph_of(const Topology& machine, Merge merge = Merge::yes) {
  return cut_graph({machine, machine.ranks(), kCollective}, merge);
}

}  // namespace

TEST_CASE("a star's switch stays, a chain of switches goes, planes become one") {
  CHECK(graph_of(Topology(testing::star(4))).nodes == 5);
  CHECK(graph_of(Topology(testing::star(2))).nodes == 2);  // gpu, switch, gpu
  CHECK(graph_of(Topology(testing::dgx2())).nodes == 16 + 12);

  Topology::Parts planes;
  testing::add_gpus(planes, 8);
  for (int i = 0; i < 6; ++i) {
    const NodeId plane = testing::add_node(planes, "nvs" + std::to_string(i), NodeKind::switch_);
    for (NodeId gpu = 0; gpu < 8; ++gpu)
      testing::add_cable(planes, gpu, plane, testing::link_of(LinkKind::nvlink, gigabytes(50)));
  }
  const CutGraph graph = graph_of(Topology(planes));
  CHECK(graph.nodes == 9);
  CHECK(graph.unit == 300e9);
  REQUIRE(graph.arcs.size() == 16);
  CHECK(graph.arcs[0] == CutGraph::Arc{0, 8, 1});
}

TEST_CASE("capacities are divided by their greatest common divisor, and rounded up otherwise") {
  Topology::Parts parts = testing::direct_mesh(3, {{0, 1, 2}, {1, 2, 3}});
  CHECK(graph_of(Topology(parts)).unit == 25e9);
  parts.links[0].bandwidth = parts.links[0].usable = {1.0 / 3};
  const CutGraph odd = graph_of(Topology(parts));
  CHECK(odd.unit == 1);
  CHECK(odd.arcs[0].capacity == 1);
}

TEST_CASE("merging keeps the least cut between all sets of ranks") {
  testing::OddMachines machines(23);
  for (int i = 0; i < 60; ++i) {
    const int ranks = 2 + machines.below(4);
    const Topology machine = machines.next(ranks, 1 + machines.below(6), machines.below(8));
    const CutGraph whole = graph_of(machine, Merge::no);
    const CutGraph merged = graph_of(machine);
    CHECK(merged.nodes <= whole.nodes);
    for (const Flow flow : {Flow::leaving, Flow::entering}) {
      CutOracle of_whole(whole, flow);
      CutOracle of_merged(merged, flow);
      for (std::uint32_t set = 1; set + 1 < (1u << ranks); ++set) {
        TerminalSet inside;
        for (int rank = 0; rank < ranks; ++rank) inside.push_back((set >> rank & 1) != 0);
        CHECK(static_cast<double>(of_merged.of(inside)) * merged.unit ==
              doctest::Approx(static_cast<double>(of_whole.of(inside)) * whole.unit));
      }
    }
  }
}

TEST_CASE("gpus that are no rank carry nothing, unless the machine relays") {
  Topology::Parts parts = testing::direct_mesh(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 1}});
  const std::vector<NodeId> ranks = {0, 2};
  CHECK(cut_graph({Topology(parts), ranks, kCollective}).arcs.size() == 2);
  parts.routing.nvb = true;
  const Topology relaying(parts);
  const CutGraph graph = cut_graph({relaying, ranks, kCollective});
  CHECK(static_cast<double>(CutOracle(graph).between(0, 1).value) * graph.unit == 50e9);
}

TEST_CASE("of a link that changes its highest rate counts") {
  const Topology machine(testing::star(2, gigabytes(16)));
  const std::vector<LinkChange> changes = {{Time{5}, 0, gigabytes(48), gigabytes(48), ""},
                                           {Time{9}, 0, gigabytes(1), gigabytes(1), ""}};
  const CutGraph graph =
      cut_graph({machine, machine.ranks(), kCollective, Rates::line, changes}, Merge::no);
  CHECK(graph.unit == 16e9);
  CHECK(graph.arcs[0].capacity == 3);
}

}  // namespace syncsim::cut_graph_test
