#include "sim/topology/connected.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <utility>

#include "sim/topology/routing.h"
#include "tests/support/machines.h"

namespace syncsim::connected_test {
namespace {

using Pair = std::pair<NodeId, NodeId>;
using testing::add_cable;
using testing::add_node;
using testing::gigabytes;
using testing::link_of;

void join(Topology::Parts& parts, NodeId a, NodeId b) {
  add_cable(parts, a, b, link_of(LinkKind::pcie, gigabytes(16)));
}

// The oracle: ask the router for every pair in rank order.
std::optional<Pair> first_without_route(const Topology& topology) {
  const Resources resources(topology, Rates::line);
  Router router(topology, resources);
  for (const NodeId from : topology.ranks())
    for (const NodeId to : topology.ranks())
      if (!router.reachable(from, to)) return Pair(from, to);
  return std::nullopt;
}

Topology random_machine(std::mt19937& random, int nodes, int cables) {
  Topology::Parts parts;
  for (int i = 0; i < nodes; ++i) {
    const NodeId node =
        add_node(parts, "n" + std::to_string(i), i % 2 == 0 ? NodeKind::gpu : NodeKind::switch_);
    parts.nodes[node].forwards = random() % 3 == 0;
  }
  std::vector<bool> joined(static_cast<std::size_t>(nodes * nodes));
  for (int i = 0; i < cables; ++i) {
    const auto a = static_cast<NodeId>(random() % static_cast<unsigned>(nodes));
    const auto b = static_cast<NodeId>(random() % static_cast<unsigned>(nodes));
    const auto key = std::min(a, b) * static_cast<std::size_t>(nodes) + std::max(a, b);
    if (a == b || joined[key]) continue;
    joined[key] = true;
    join(parts, a, b);
  }
  return Topology(parts);
}

}  // namespace

TEST_CASE("ranks around one switch reach each other - one without a cable reaches none") {
  Topology::Parts parts = testing::star(3);
  CHECK(!first_cut_off_pair(Topology(parts)));
  const NodeId lone = add_node(parts, "gpu3", NodeKind::gpu);
  CHECK(first_cut_off_pair(Topology(parts)) == Pair(0, lone));
}

TEST_CASE("a full mesh of gpus that do not forward needs every one of its cables") {
  CHECK(!first_cut_off_pair(Topology(testing::full_mesh(5))));
  Topology::Parts parts;
  testing::add_gpus(parts, 3);
  join(parts, 0, 1);
  join(parts, 0, 2);
  CHECK(first_cut_off_pair(Topology(parts)) == Pair(1, 2));
  parts.nodes[0].forwards = true;
  CHECK(!first_cut_off_pair(Topology(parts)));
}

TEST_CASE("ranks may meet on different switches, pair by pair") {
  Topology::Parts parts;
  testing::add_gpus(parts, 3);
  for (const Pair& pair : {Pair(0, 1), Pair(1, 2), Pair(2, 0)}) {
    const NodeId hub =
        add_node(parts, "switch" + std::to_string(parts.nodes.size()), NodeKind::switch_);
    join(parts, pair.first, hub);
    join(parts, pair.second, hub);
  }
  CHECK(!first_cut_off_pair(Topology(parts)));
}

TEST_CASE("thousands of ranks of which no switch joins all are followed up to the last") {
  constexpr NodeId kThird = 700;
  Topology::Parts parts;
  testing::add_gpus(parts, 3 * kThird);
  const NodeId hub = add_node(parts, "s0", NodeKind::switch_);
  for (const char* id : {"s1", "s2"}) add_node(parts, id, NodeKind::switch_);
  for (NodeId rank = 0; rank < 3 * kThird; ++rank)  // on two of the three switches
    for (const NodeId third : {NodeId{0}, NodeId{1}})
      join(parts, rank, hub + (rank / kThird + third) % 3);
  CHECK(!first_cut_off_pair(Topology(parts)));
  // The last rank leaves the switch that it shares with the first third, which a cable mends once.
  parts.links.resize(parts.links.size() - 2);
  CHECK(first_cut_off_pair(Topology(parts)) == Pair(0, 3 * kThird - 1));
  join(parts, 3 * kThird - 1, 0);
  CHECK(first_cut_off_pair(Topology(parts)) == Pair(1, 3 * kThird - 1));
}

TEST_CASE("the first pair cut off is the one that the router finds no route for") {
  std::mt19937 random(1);
  int cut_off = 0;
  int whole = 0;
  for (int i = 0; i < 400; ++i) {
    const Topology topology = random_machine(random, 2 + i % 9, i % 40);
    const auto pair = first_cut_off_pair(topology);
    CHECK(pair == first_without_route(topology));
    ++(pair ? cut_off : whole);
  }
  CHECK(cut_off > 50);
  CHECK(whole > 50);
}

}  // namespace syncsim::connected_test
