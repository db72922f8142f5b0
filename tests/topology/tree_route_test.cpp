// One flow between several nodes and a root: each link once, abilities where branches meet or part.

#include "sim/topology/tree_route.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "tests/support/refusal.h"
#include "tests/support/routed.h"

namespace syncsim::testing::tree_route_test {
namespace {

constexpr Abilities kBoth{true, true};

struct Network : Routed {
  using Routed::Routed;

  // All ways between the root and the others; the root takes part where it is among `members`.
  Route tree(TreeKind kind, const std::string& root, const Names& members,
             std::uint32_t channel = 0) {
    std::vector<Route> ways;
    for (const std::string& member : members)
      if (member != root) ways.push_back(route(member, root, channel));
    const bool takes_part = std::find(members.begin(), members.end(), root) != members.end();
    return tree_route(topology, resources, kind, {topology.node(root), takes_part, ways});
  }
  std::map<std::string, double> uses(const Route& route) const {
    std::map<std::string, double> result;
    for (const ResourceUse& use : route.uses)
      result[resources.all()[use.resource].name] += use.coefficient;
    return result;
  }
};

using Uses = std::map<std::string, double>;

Topology::Parts able_star(int gpus) {
  Topology::Parts parts = star(gpus);
  parts.nodes.back().abilities = kBoth;
  for (Link& link : parts.links) link.latency = Time{1'000};
  return parts;
}

// Two leaves of two gpus each under two spines, an up-link to each.
Topology::Parts two_levels() {
  Topology::Parts parts;
  add_gpus(parts, 4);
  Link link = link_of(LinkKind::network, gigabytes(25));
  link.latency = Time{1'000};
  for (const NodeId leaf : {4u, 5u}) {
    add_node(parts, "leaf" + std::to_string(leaf - 4), NodeKind::switch_);
    parts.nodes.back().abilities = kBoth;
    for (const NodeId gpu : {2 * (leaf - 4), 2 * (leaf - 4) + 1}) add_cable(parts, gpu, leaf, link);
  }
  for (const char* name : {"spine0", "spine1"}) {
    const NodeId spine = add_node(parts, name, NodeKind::switch_);
    for (const NodeId leaf : {4u, 5u}) add_cable(parts, leaf, spine, link);
  }
  return parts;
}

const Names kFour = {"gpu0", "gpu1", "gpu2", "gpu3"};

}  // namespace

TEST_CASE("a reduce uses every member's link up, the root's own too, and one link down") {
  Network star(able_star(4));
  const Route route = star.tree(TreeKind::reduce, "gpu0", kFour);
  CHECK(star.uses(route) == Uses{{"gpu0>switch0", 1},
                                 {"gpu1>switch0", 1},
                                 {"gpu2>switch0", 1},
                                 {"gpu3>switch0", 1},
                                 {"switch0>gpu0", 1}});
  CHECK(route.latency == Time{2'000});
  CHECK(route.bottleneck == 16e9);
}

TEST_CASE("a multicast takes the same tree against its direction") {
  Network star(able_star(4));
  const Route route = star.tree(TreeKind::multicast, "gpu0", kFour);
  CHECK(star.uses(route) == Uses{{"gpu0>switch0", 1},
                                 {"switch0>gpu0", 1},
                                 {"switch0>gpu1", 1},
                                 {"switch0>gpu2", 1},
                                 {"switch0>gpu3", 1}});
  CHECK(route.latency == Time{2'000});
}

TEST_CASE("a root that takes no part uses no link of its own in the other direction") {
  Network star(able_star(4));
  CHECK(star.uses(star.tree(TreeKind::reduce, "gpu0", {"gpu1", "gpu2"})) ==
        Uses{{"gpu1>switch0", 1}, {"gpu2>switch0", 1}, {"switch0>gpu0", 1}});
  CHECK(star.uses(star.tree(TreeKind::reduce, "switch0", {"gpu1", "gpu2"})) ==
        Uses{{"gpu1>switch0", 1}, {"gpu2>switch0", 1}});
  CHECK(star.tree(TreeKind::multicast, "switch0", kFour).latency == Time{1'000});
}

TEST_CASE("striped planes carry a tree each, in proportion to their links") {
  Topology::Parts parts;
  add_gpus(parts, 3);
  for (const int plane : {0, 1}) {
    const NodeId node = add_node(parts, "s" + std::to_string(plane), NodeKind::switch_);
    parts.nodes.back().abilities = kBoth;
    for (NodeId gpu = 0; gpu < 3; ++gpu)
      add_cable(parts, gpu, node,
                striped(link_of(LinkKind::nvlink, gigabytes(plane == 0 ? 75 : 25))));
  }
  Network planes(parts);
  const Route route = planes.tree(TreeKind::reduce, "gpu2", {"gpu0", "gpu1", "gpu2"});
  CHECK(planes.uses(route) == Uses{{"gpu0>s0", 0.75},
                                   {"gpu1>s0", 0.75},
                                   {"gpu2>s0", 0.75},
                                   {"s0>gpu2", 0.75},
                                   {"gpu0>s1", 0.25},
                                   {"gpu1>s1", 0.25},
                                   {"gpu2>s1", 0.25},
                                   {"s1>gpu2", 0.25}});
  CHECK(route.bottleneck == doctest::Approx(100e9));
}

TEST_CASE("branches join where they first meet, and each link is used once") {
  Network levels(two_levels());
  for (const std::uint32_t channel : {0u, 1u}) {
    const Route route = levels.tree(TreeKind::reduce, "gpu0", kFour, channel);
    const std::string spine = "spine" + std::to_string(channel);
    CHECK(levels.uses(route) == Uses{{"gpu0>leaf0", 1},
                                     {"gpu1>leaf0", 1},
                                     {"gpu2>leaf1", 1},
                                     {"gpu3>leaf1", 1},
                                     {"leaf1>" + spine, 1},
                                     {spine + ">leaf0", 1},
                                     {"leaf0>gpu0", 1}});
    CHECK(route.latency == Time{4'000});
  }
}

TEST_CASE("a root's own part climbs to the first switch that can turn it") {
  Topology::Parts parts = two_gpus(2);
  parts.nodes[s(1)].abilities = kBoth;
  for (const auto& [a, b] : {std::pair(NodeId{0}, s(0)), {s(0), s(1)}, {s(1), NodeId{1}}})
    add_cable(parts, a, b, timed(pcie(), 1'000));
  Network line(parts);
  CHECK(line.uses(line.tree(TreeKind::reduce, "gpu0", {"gpu0", "gpu1"})) ==
        Uses{{"gpu0>s0", 1}, {"s0>s1", 1}, {"gpu1>s1", 1}, {"s1>s0", 1}, {"s0>gpu0", 1}});
  const Route far = line.tree(TreeKind::multicast, "gpu0", {"gpu0", "gpu1"});
  CHECK(far.latency == Time{4'000});  // there and back
  CHECK(line.tree(TreeKind::multicast, "gpu1", {"gpu0", "gpu1"}).latency == Time{3'000});
}

TEST_CASE("the directions of a half-duplex cable add up") {
  Topology::Parts parts = able_star(3);
  for (Link& link : parts.links) link.half_duplex = true;
  Network star(parts);
  CHECK(star.uses(star.tree(TreeKind::reduce, "gpu0", {"gpu0", "gpu1", "gpu2"})) ==
        Uses{{"gpu0-switch0", 2}, {"gpu1-switch0", 1}, {"gpu2-switch0", 1}});
}

TEST_CASE("the overhead of a tree is the largest of its links in the direction that it takes") {
  Topology::Parts parts = able_star(3);
  parts.links[2].overhead = Time{70};  // gpu1>switch0
  parts.links[5].overhead = Time{90};  // switch0>gpu2
  Network star(parts);
  CHECK(star.tree(TreeKind::reduce, "gpu0", {"gpu0", "gpu1", "gpu2"}).overhead == Time{70});
  CHECK(star.tree(TreeKind::multicast, "gpu0", {"gpu0", "gpu1", "gpu2"}).overhead == Time{90});
}

TEST_CASE("a switch with a reduce bandwidth adds up all that comes in - else it costs nothing") {
  Topology::Parts parts = able_star(4);
  parts.nodes.back().reduce_bandwidth = gigabytes(32);
  parts.nodes[0].reduce_bandwidth = gigabytes(8);
  Network star(parts);
  const Route member = star.tree(TreeKind::reduce, "gpu0", kFour);
  CHECK(star.uses(member).at("switch0:reduce") == 4);
  CHECK(star.uses(member).count("gpu0:reduce") == 0);
  CHECK(member.bottleneck == 8e9);
  const Route other = star.tree(TreeKind::reduce, "gpu0", {"gpu1", "gpu2"});
  CHECK(star.uses(other).at("switch0:reduce") == 2);
  CHECK(star.uses(other).at("gpu0:reduce") == 1);
  CHECK(star.uses(star.tree(TreeKind::reduce, "switch0", kFour)).at("switch0:reduce") == 4);
  CHECK(star.uses(star.tree(TreeKind::multicast, "gpu0", kFour)).count("switch0:reduce") == 0);
}

TEST_CASE("a node that passes everything on pays its transit once") {
  Topology::Parts parts = able_star(3);
  parts.nodes.back().transit_bandwidth = gigabytes(10);
  Network star(parts);
  const Route route = star.tree(TreeKind::reduce, "gpu0", {"gpu0", "gpu1", "gpu2"});
  CHECK(star.uses(route).at("switch0:transit") == 1);
}

TEST_CASE("a switch that lacks the ability is named, with what meets or parts there") {
  Topology::Parts parts = able_star(3);
  const Names members = {"gpu0", "gpu1", "gpu2"};
  parts.nodes.back().abilities = {true, false};
  Network reducing(parts);
  CHECK(refusal_of([&] { reducing.tree(TreeKind::reduce, "gpu0", members); }) == "accepted");
  CHECK(refusal_of([&] { reducing.tree(TreeKind::multicast, "gpu0", members); }) ==
        "switch switch0 does not multicast, where the ways to gpu1 and gpu2 part; give it "
        "\"abilities\": [\"multicast\"], or choose another strategy");
  parts.nodes.back().abilities = {false, true};
  Network multicasting(parts);
  CHECK(refusal_of([&] { multicasting.tree(TreeKind::multicast, "gpu0", members); }) == "accepted");
  CHECK(refusal_of([&] { multicasting.tree(TreeKind::reduce, "switch0", members); }) ==
        "switch switch0 does not reduce, where what gpu0 and gpu1 send meets; give it "
        "\"abilities\": [\"reduce\"], or choose another strategy");
  CHECK(refusal_of([&] {
          multicasting.tree(TreeKind::reduce, "gpu0", {"gpu0", "gpu1"});
        }) ==
        "switch switch0 does not reduce, where what gpu0 and gpu1 send meets; give it "
        "\"abilities\": [\"reduce\"], or choose another strategy");
}

TEST_CASE("a spine needs no ability where leaves have done the work - a leaf does") {
  Topology::Parts parts = two_levels();
  parts.nodes[5].abilities = {};
  Network levels(parts);
  CHECK(refusal_of([&] { levels.tree(TreeKind::reduce, "gpu0", kFour); }) ==
        "switch leaf1 does not reduce, where what gpu2 and gpu3 send meets; give it "
        "\"abilities\": [\"reduce\"], or choose another strategy");
  CHECK(refusal_of([&] {
          levels.tree(TreeKind::reduce, "gpu0", {"gpu0", "gpu1", "gpu2"});
        }) == "accepted");
}

TEST_CASE("gpus joined without a switch cannot meet in the network") {
  Network mesh(full_mesh(3));
  CHECK(refusal_of([&] {
          mesh.tree(TreeKind::reduce, "gpu0", {"gpu0", "gpu1", "gpu2"});
        }) ==
        "gpu gpu0 does not reduce, where what gpu1 and gpu2 send meets; choose ranks that are "
        "joined by switches that reduce, or another strategy");
  CHECK(refusal_of([&] {
          mesh.tree(TreeKind::multicast, "gpu0", {"gpu0", "gpu1"});
        }) ==
        "gpu gpu1 does not multicast, where the ways to gpu0 and gpu1 part; choose ranks that are "
        "joined by switches that multicast, or another strategy");
}

}  // namespace syncsim::testing::tree_route_test
