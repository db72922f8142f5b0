#include "sim/topology/topology.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "tests/support/machines.h"
#include "tests/support/refusal.h"

namespace syncsim::topology_test {
namespace {

using testing::add_cable;
using testing::add_node;
using testing::gigabytes;
using testing::link_of;
using testing::refusal_of;

std::string refusal(Topology::Parts parts) {
  return refusal_of([&] { const Topology topology(std::move(parts)); });
}

// A star whose first link is changed by `change`.
template <class Change>
std::string refusal_of_link(const Change& change) {
  Topology::Parts parts = testing::star(2);
  change(parts.links[0]);
  return refusal(std::move(parts));
}

template <class Change>
std::string refusal_of_node(const Change& change) {
  Topology::Parts parts = testing::star(2);
  change(parts.nodes[0]);
  return refusal(std::move(parts));
}

}  // namespace

TEST_CASE("a link is named a>b and its cable a-b, whichever direction one asks for") {
  const Topology topology(testing::star(2));
  CHECK(topology.links()[0].name == "gpu0>switch0");
  CHECK(topology.links()[1].name == "switch0>gpu0");
  CHECK(topology.links()[2].name == "gpu1>switch0");
  CHECK(topology.cable_name(0) == "gpu0-switch0");
  CHECK(topology.cable_name(1) == "gpu0-switch0");
}

TEST_CASE("where two nodes share cables of several kinds, and only there, names carry the kind") {
  Topology::Parts parts = testing::star(2);
  add_cable(parts, 0, 1, link_of(LinkKind::nvlink, gigabytes(25)));
  add_cable(parts, 1, 0, link_of(LinkKind::xgmi, gigabytes(50)));
  const Topology topology(parts);
  CHECK(topology.links()[0].name == "gpu0>switch0");
  CHECK(topology.links()[4].name == "gpu0>gpu1@nvlink");
  CHECK(topology.links()[5].name == "gpu1>gpu0@nvlink");
  CHECK(topology.links()[6].name == "gpu1>gpu0@xgmi");
  CHECK(topology.cable_name(5) == "gpu0-gpu1@nvlink");
  CHECK(topology.cable_name(7) == "gpu1-gpu0@xgmi");
}

TEST_CASE("a given link name is kept when it is the link's own, and refused otherwise") {
  Topology::Parts parts = testing::star(2);
  parts.links[0].name = "gpu0>switch0@pcie";
  CHECK(Topology(parts).cable_name(1) == "gpu0-switch0@pcie");
  parts.links[0].name = "gpu1>switch0";
  CHECK(refusal(parts) == R"(link "gpu0>switch0" is named "gpu1>switch0"; )"
                          R"(name it "gpu0>switch0" or "gpu0>switch0@pcie")");
}

TEST_CASE("the two directions of a cable are named alike, and count the same") {
  Topology::Parts parts = testing::star(2);
  parts.links[1].name = "switch0>gpu0@pcie";
  CHECK(Topology(parts).links()[0].name == "gpu0>switch0@pcie");
  parts.links[0].name = "gpu0>switch0";
  CHECK(refusal(parts) ==
        R"(link "gpu0>switch0" and its way back "switch0>gpu0@pcie" are named in different ways; )"
        "name the kind in both or in neither");
  parts = testing::star(2);
  parts.links[1].count = 2;
  CHECK(refusal(parts) == R"(link "gpu0>switch0" is 1 cables and its way back 2; )"
                          "give both directions the same count");
}

TEST_CASE("two cables of one kind are refused though their names differ") {
  Topology::Parts parts = testing::star(2);
  add_cable(parts, 2, 0, link_of(LinkKind::pcie, gigabytes(16)));
  parts.links[0].name = "gpu0>switch0";
  parts.links[4].name = "switch0>gpu0@pcie";
  CHECK(refusal(parts) == R"(there are two links "gpu0>switch0"; )"
                          R"(join two nodes by one cable of a kind, with a "count")");
}

TEST_CASE("two cables of one kind between two nodes are refused, whichever way they are written") {
  Topology::Parts parts = testing::star(2);
  add_cable(parts, 2, 0, link_of(LinkKind::pcie, gigabytes(16)));
  CHECK(refusal(parts) == R"(there are two links "switch0>gpu0@pcie"; )"
                          R"(join two nodes by one cable of a kind, with a "count")");
}

TEST_CASE("node ids are unique, not empty and leave the separators of link names alone") {
  CHECK(refusal_of_node([](Node& node) { node.id = ""; }) ==
        R"(a node has an empty id; name it, as in "gpu0")");
  CHECK(refusal_of_node([](Node& node) { node.id = "gpu1"; }) ==
        R"(node id "gpu1" appears twice; give every node its own id)");
  for (const std::string bad : {"gpu-0", "gpu>0", "gpu@0", "gpu 0", "gpu\t0", "gpu*"})
    CHECK(refusal_of_node([&](Node& node) { node.id = bad; }) ==
          "node id \"" + bad +
              "\" holds '-', '>', '@', '*' or a blank; "
              "names of links and edits need these: use letters, digits, '_', '.' and '/'");
  CHECK(refusal_of_node([](Node& node) { node.id = "node7/gpu.3_a"; }) == "accepted");
}

TEST_CASE("a node's bandwidths are finite and above zero") {
  CHECK(refusal_of_node([](Node& node) { node.transit_bandwidth = Bandwidth{0}; }) ==
        R"(the transit bandwidth of node "gpu0" is 0 bytes/s; )"
        "write a finite bandwidth above zero");
  CHECK(refusal_of_node([](Node& node) { node.reduce_bandwidth = Bandwidth{-1}; }) ==
        R"(the reduce bandwidth of node "gpu0" is -1 bytes/s; )"
        "write a finite bandwidth above zero");
}

TEST_CASE("a link joins two different existing nodes") {
  CHECK(refusal_of_link([](Link& link) { link.to = 9; }) ==
        "link 0 joins nodes 0 and 9 of 3; number nodes from 0");
  CHECK(refusal_of_link([](Link& link) { link.to = 0; }) ==
        R"(a link joins node "gpu0" to itself; join two different nodes)");
}

TEST_CASE("a link's figures are finite, above zero, not negative, and usable is at most line") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK(refusal_of_link([](Link& link) { link.bandwidth = {kInfinity}; }) ==
        R"(the bandwidth of link "gpu0>switch0" is inf bytes/s; )"
        "write a finite bandwidth above zero");
  CHECK(refusal_of_link([](Link& link) { link.usable = {0}; }) ==
        R"(the usable bandwidth of link "gpu0>switch0" is 0 bytes/s; )"
        "write a finite bandwidth above zero");
  CHECK(refusal_of_link([](Link& link) { link.usable = gigabytes(17); }) ==
        R"(the usable bandwidth 17 GB/s of link "gpu0>switch0" is above its line rate 16 GB/s; )"
        "write at most the line rate");
  CHECK(refusal_of_link([](Link& link) { link.latency = Time{-1}; }) ==
        R"(the latency of link "gpu0>switch0" is -1 ps; write zero to 1 s)");
  CHECK(refusal_of_link([](Link& link) { link.overhead = Time{-2}; }) ==
        R"(the overhead of link "gpu0>switch0" is -2 ps; write zero to 1 s)");
  CHECK(refusal_of_link([](Link& link) { link.latency = Time{1'000'000'000'001}; }) ==
        R"(the latency of link "gpu0>switch0" is 1000000000001 ps; write zero to 1 s)");
  CHECK(refusal_of_link([](Link& link) { link.count = 0; }) ==
        R"(the count of link "gpu0>switch0" is 0; write at least one cable)");
}

TEST_CASE("every cable is two links next to each other that agree on what they share") {
  Topology::Parts parts = testing::star(2);
  parts.links.pop_back();
  CHECK(refusal(parts) == "there are 3 links, an odd number; list both directions of every cable");
  CHECK(refusal_of_link([](Link& link) { link.kind = LinkKind::nvlink; }) ==
        R"(link "gpu0>switch0" is not followed by its way back; )"
        "list the two directions of a cable one after the other");
  CHECK(refusal_of_link([](Link& link) { link.half_duplex = true; }) ==
        R"(link "gpu0>switch0" and its way back differ in duplex; )"
        "make both directions full or both half duplex");
  CHECK(refusal_of_link([](Link& link) { link.usable = gigabytes(12); }) == "accepted");

  parts = testing::star(2);
  parts.links[0].half_duplex = parts.links[1].half_duplex = true;
  CHECK(refusal(parts) == "accepted");
  parts.links[1].usable = gigabytes(12);
  CHECK(refusal(parts) ==
        R"(link "gpu0>switch0" is half duplex and differs in bandwidth from its way back; )"
        "give both directions the one bandwidth that they share");
}

TEST_CASE("ranks are distinct existing nodes, at least one") {
  Topology::Parts parts = testing::star(2);
  parts.ranks = {};
  CHECK(refusal(parts) == R"(there are no ranks; add a node of kind "gpu" or list "ranks")");
  parts.ranks = {0, 0};
  CHECK(refusal(parts) == R"(node "gpu0" is a rank twice; list every rank once)");
  parts.ranks = {0, 3};
  CHECK(refusal(parts) == "rank 1 is node 3 of 3; number nodes from 0");
  parts.ranks = {2};
  CHECK(refusal(parts) == "accepted");
}

TEST_CASE("nodes are found by id, and by kind in file order") {
  const Topology topology(testing::star(3));
  CHECK(topology.find_node("switch0") == NodeId{3});
  CHECK(topology.find_node("switch1") == std::nullopt);
  CHECK(topology.node("gpu2") == 2);
  CHECK(refusal_of([&] { topology.node("gpu7"); }) ==
        R"(unknown node "gpu7"; did you mean "gpu0"?)");
  CHECK(topology.nodes_of_kind(NodeKind::gpu) == std::vector<NodeId>{0, 1, 2});
  CHECK(topology.nodes_of_kind(NodeKind::nic).empty());
}

TEST_CASE("parse undoes to_string for every kind") {
  for (const NodeKind kind : {NodeKind::gpu, NodeKind::cpu, NodeKind::switch_, NodeKind::nic})
    CHECK(parse_node_kind(to_string(kind)) == kind);
  for (const LinkKind kind : {LinkKind::nvlink, LinkKind::xgmi, LinkKind::c2c, LinkKind::pcie,
                              LinkKind::host, LinkKind::socket, LinkKind::network})
    CHECK(parse_link_kind(to_string(kind)) == kind);
  for (const Rates rates : {Rates::line, Rates::usable})
    CHECK(parse_rates(to_string(rates)) == rates);
  CHECK(to_string(NodeKind::switch_) == "switch");
}

TEST_CASE("an unknown kind is refused with the closest one or the choices") {
  CHECK(refusal_of([] { parse_node_kind("gpus"); }) ==
        R"(unknown node kind "gpus"; did you mean "gpu"?)");
  CHECK(refusal_of([] { parse_link_kind("nvlnk"); }) ==
        R"(unknown link kind "nvlnk"; did you mean "nvlink"?)");
  CHECK(refusal_of([] { parse_rates("peak"); }) ==
        R"(unknown rates "peak"; choose one of line, usable)");
}

}  // namespace syncsim::topology_test
