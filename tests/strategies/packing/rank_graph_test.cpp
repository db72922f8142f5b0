// What ranks can send each other.

#include "strategies/packing/rank_graph.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/runs.h"

namespace syncsim::strategy::rank_graph_test {
namespace {

RankGraph::ArcId arc_between(const RankGraph& graph, int from, int to) {
  const auto arcs = graph.arcs_from(from);
  const auto arc = std::find_if(arcs.begin(), arcs.end(),
                                [&](const RankGraph::Arc& each) { return each.to == to; });
  return graph.first_arc(from) + static_cast<RankGraph::ArcId>(arc - arcs.begin());
}

bool has_arc(const RankGraph& graph, int from, int to) {
  const RankGraph::ArcId id = arc_between(graph, from, to);
  return id < graph.first_arc(from) + graph.arcs_from(from).size();
}

bool has_way(const RankGraph& graph, int from, int to, Plane plane) {
  return has_arc(graph, from, to) && !graph.uses(arc_between(graph, from, to), plane, 0).empty();
}

// Three GPUs in a line, by NVLink of 25 and of 50 GB/s.
Topology line() {
  return testing::written_machine(
      R"({"name": "line", "link_types": {"thin": {"kind": "nvlink", "bandwidth": "25 GB/s"},)"
      R"("thick": {"kind": "nvlink", "bandwidth": "50 GB/s"}},)"
      R"("nodes": [{"id": "gpu[0-2]", "kind": "gpu", "forwards": true}],)"
      R"("links": [{"between": ["gpu0", "gpu1"], "type": "thin"},)"
      R"({"between": ["gpu1", "gpu2"], "type": "thick"}]})");
}

}  // namespace

TEST_CASE("every arc knows the one back") {
  const Topology machine = testing::shelf_machine("dgx1v");
  const RankGraph graph(machine, machine.ranks());
  CHECK(graph.arcs().size() == 56);
  for (RankGraph::ArcId id = 0; id < graph.arcs().size(); ++id) {
    const RankGraph::Arc& back = graph.arcs()[graph.arcs()[id].back];
    CHECK(back.from == graph.arcs()[id].to);
    CHECK(back.to == graph.arcs()[id].from);
    CHECK(back.back == id);
  }
}

TEST_CASE("no way passes another rank, but one may pass a gpu that is none") {
  const Topology machine = line();
  const RankGraph all(machine, machine.ranks());
  CHECK(has_way(all, 0, 1, Plane::all));
  CHECK(!has_arc(all, 0, 2));
  const std::vector<NodeId> ends = {0, 2};
  CHECK(has_way(RankGraph(machine, ends), 0, 1, Plane::all));
  const std::vector<NodeId> relays = {1};
  const RankGraph relayed(machine, ends, relays);
  CHECK(relayed.ranks() == 2);
  CHECK(relayed.nodes() == 3);
  CHECK(!has_arc(relayed, 0, 1));
  CHECK(has_way(relayed, 0, 2, Plane::all));
  CHECK(relayed.branches(2));
}

TEST_CASE("only ranks that NVLink joins have a way over the host beside it") {
  const Topology machine = testing::shelf_machine("dgx1v");
  const RankGraph graph(machine, machine.ranks());
  CHECK(has_way(graph, 0, 1, Plane::host));
  CHECK(!has_way(graph, 0, 5, Plane::host));
  CHECK(has_way(graph, 0, 5, Plane::all));
}

TEST_CASE("links to all planes of a switch count as one") {
  const Topology machine = testing::shelf_machine("hgx_h100");
  const RankGraph graph(machine, machine.ranks());
  CHECK(graph.uses(arc_between(graph, 0, 1), Plane::all, 0).size() == 2);
}

TEST_CASE("direct links have the rate of their slower direction") {
  const Topology machine = line();
  const RankGraph graph(machine, machine.ranks());
  REQUIRE(graph.direct_links().size() == 2);
  CHECK(graph.direct_links()[0].rate == 25e9);
  CHECK(graph.direct_links()[1].rate == 50e9);
}

TEST_CASE("rails and spines: routes repeat after as many channels as they have ways") {
  const Topology one_way = testing::shelf_machine("hgx_h100_x2");
  CHECK(RankGraph(one_way, one_way.ranks()).turns() == 1);
  const Topology more_ways = testing::shelf_machine("hgx_h100_x16");
  const std::vector<NodeId> ranks(more_ways.ranks().begin(), more_ways.ranks().begin() + 16);
  CHECK(RankGraph(more_ways, ranks).turns() == 4);
}

}  // namespace syncsim::strategy::rank_graph_test
