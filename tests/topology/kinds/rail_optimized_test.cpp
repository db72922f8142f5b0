// Rails: nic i of every machine on rail i, leaves, spines, and what is left without spines.

#include <doctest/doctest.h>

#include "tests/topology/kinds/generated.h"

namespace syncsim::testing::rail_optimized_test {
namespace {

Topology rails(const std::string& fields) { return generated("rail_optimized", fields); }
std::string refusal(const std::string& fields) { return kind_refusal("rail_optimized", fields); }

// Those of the network, without those within machines.
Names network_cables(const Topology& topology) {
  Names names;
  for (LinkId link = 0; link < topology.links().size(); link += 2)
    if (topology.links()[link].kind == LinkKind::network)
      names.push_back(topology.cable_name(link));
  return names;
}

// Four gpus, each with a nic of its own, all joined by NVLink.
constexpr const char* kQuad = R"({"name": "quad",
  "link_types": {"x": {"kind": "pcie", "bandwidth": "16 GB/s"},
                 "nv": {"kind": "nvlink", "bandwidth": "25 GB/s"}},
  "nodes": [{"id": "gpu[0-3]", "kind": "gpu"}, {"id": "nic[0-3]", "kind": "nic"}],
  "links": [{"between": ["gpu[0-3]", "nic[0-3]"], "type": "x"},
            {"all_pairs": "gpu[0-3]", "type": "nv"}]})";

std::string quads(int count) {
  return R"("machines": )" + std::to_string(count) + R"(, "machine": )" + kQuad;
}

}  // namespace

TEST_CASE("nic i of every machine is on rail i, and every rail reaches every spine") {
  const Topology two = rails(boxes(2));
  CHECK(network_cables(two) == Names{"node0/nic0-rail0", "node0/nic1-rail1", "node1/nic0-rail0",
                                     "node1/nic1-rail1", "rail0-spine0", "rail0-spine1",
                                     "rail1-spine0", "rail1-spine1"});
  CHECK(rank_names(two) == Names{"node0/gpu0", "node0/gpu1", "node1/gpu0", "node1/gpu1"});
  CHECK(two.name() == "rail_optimized of 2 box");
  CHECK(two.description() == "2 box on 2 rails, 2 leaves, 2 spines");
}

TEST_CASE("gpu i meets gpu i of another machine on its rail, and gpu j above it") {
  const Topology eight = rails(quads(8));
  CHECK(count_nodes(eight, "rail") == 4);
  CHECK(degree(eight, "rail") == 8 + 8);
  CHECK(degree(eight, "spine") == 4);
  const auto hops = distances(eight);
  for (std::size_t from = 0; from < 32; ++from)
    for (std::size_t to = 0; to < 32; ++to)
      CHECK(hops[from][to] == (from == to           ? 0
                               : from / 4 == to / 4 ? 1
                               : from % 4 == to % 4 ? 4
                                                    : 6));
}

TEST_CASE("spines by number and oversubscription - uplinks are bundled") {
  const Topology bundled = rails(quads(8) + R"(, "spines": 2, "oversubscription": 2)");
  CHECK(degree(bundled, "rail") == 8 + 4);
  CHECK(degree(bundled, "spine") == 4 * 2);
  CHECK(bundled.links().back().count == 2);
}

TEST_CASE("fewer rails than nics take them in turn") {
  const Topology two = rails(quads(2) + R"(, "rails": 2, "spines": 1)");
  CHECK(network_cables(two) == Names{"node0/nic0-rail0", "node0/nic1-rail1", "node0/nic2-rail0",
                                     "node0/nic3-rail1", "node1/nic0-rail0", "node1/nic1-rail1",
                                     "node1/nic2-rail0", "node1/nic3-rail1", "rail0-spine0",
                                     "rail1-spine0"});
}

TEST_CASE("a rail of more ports than a leaf has is several leaves, filled machine by machine") {
  const Topology four = rails(boxes(4) + R"(, "leaf_ports": 2, "spines": 1)");
  CHECK(network_cables(four) ==
        Names{"node0/nic0-rail0_leaf0", "node0/nic1-rail1_leaf0", "node1/nic0-rail0_leaf0",
              "node1/nic1-rail1_leaf0", "node2/nic0-rail0_leaf1", "node2/nic1-rail1_leaf1",
              "node3/nic0-rail0_leaf1", "node3/nic1-rail1_leaf1", "rail0_leaf0-spine0",
              "rail0_leaf1-spine0", "rail1_leaf0-spine0", "rail1_leaf1-spine0"});
  CHECK(four.links().back().count == 2);
}

TEST_CASE("without spines another rail is reached through a machine's PCIe") {
  const Topology bare = rails(boxes(2) + R"(, "spines": 0)");
  CHECK(count_nodes(bare, "spine") == 0);
  CHECK(diameter(bare) == 6);
  CHECK(bare.description() == "2 box on 2 rails, 2 leaves, 0 spines");
}

TEST_CASE("without spines and without a way between its nics, a machine is cut off") {
  CHECK(refusal(quads(2) + R"(, "spines": 0)") ==
        "m.json:/: no route from node0/gpu0 to node1/gpu1; join them by links through nodes that "
        "forward (a gpu forwards only when it says so)");
}

TEST_CASE("what does not come out whole is refused with what would") {
  CHECK(refusal(quads(2) + R"(, "rails": 3)") ==
        "m.json:/rails: 4 ports of a machine do not fill 3 rails evenly; write 2 or 4");
  CHECK(refusal(quads(8) + R"(, "leaf_ports": 5)") ==
        "m.json:/leaf_ports: 8 ports of a rail do not fill leaves of 5; write 4 or 8");
  CHECK(refusal(quads(8) + R"(, "spines": 5)") ==
        "m.json:/spines: 5 spines do not share 8 uplinks evenly; write 4 or 8");
  CHECK(refusal(quads(8) + R"(, "oversubscription": 3)") ==
        "m.json:/oversubscription: each leaf has 80 GB/s below, which makes 2.66667 uplinks of "
        "10 GB/s at 3 : 1; write an oversubscription of 2.66666667, for 3");
  CHECK(refusal(quads(8) + R"(, "leaf_ports": 4, "spines": 0)") ==
        "m.json:/spines: nothing joins the 2 leaves of a rail; "
        R"(write "spines" above 0, or leave "leaf_ports" out)");
}

TEST_CASE("wrong keys and figures of rails are refused") {
  CHECK(refusal(R"("gpus": 4)").starts_with(R"(m.json:/gpus: unknown key "gpus")"));
  CHECK(refusal(R"("machines": 4)") == R"(m.json:/: "machine" is missing; add "machine": "dgx1v")");
  CHECK(refusal(boxes(2) + R"(, "spines": -1)") ==
        "m.json:/spines: -1 is out of range; write a whole number from 1 to 1000000");
  CHECK(refusal(boxes(2) + R"(, "rails": 0)") ==
        "m.json:/rails: 0 is out of range; write a whole number from 1 to 1000000");
}

}  // namespace syncsim::testing::rail_optimized_test
