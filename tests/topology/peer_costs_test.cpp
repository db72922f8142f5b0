// Rule 10 on routes that are spread, or made of legs.

#include <doctest/doctest.h>

#include "tests/support/routed.h"
#include "tests/topology/servers.h"

namespace syncsim::peer_costs_test {
namespace {

using testing::add_cable;
using testing::add_node;
using testing::cable;
using testing::Routed;
using testing::striped;

// Two gpus behind switches with two striped ways each to a bridge that costs 1.25.
Topology::Parts two_uplinks(double cost = 1.25) {
  Topology::Parts parts;
  testing::add_gpus(parts, 2);
  const NodeId cpu = add_node(parts, "cpu0", NodeKind::cpu);
  parts.nodes[cpu].peer_cost = cost;
  for (const NodeId gpu : {0U, 1U}) {
    const std::string side = std::to_string(gpu);
    const NodeId plx = add_node(parts, "plx" + side, NodeKind::switch_);
    add_cable(parts, gpu, plx, cable(LinkKind::pcie, 32));
    for (const char* half : {"a", "b"}) {
      const NodeId up = add_node(parts, "up" + side + half, NodeKind::switch_);
      add_cable(parts, plx, up, striped(cable(LinkKind::pcie, 8)));
      add_cable(parts, up, cpu, striped(cable(LinkKind::pcie, 8)));
    }
  }
  return parts;
}

}  // namespace

TEST_CASE("the ways of a stripe pay the bridge's cost, each for its share") {
  Routed machine(two_uplinks());
  const Route& route = machine.route("gpu0", "gpu1");
  CHECK(machine.coefficient(route, "gpu0>plx0") == 1.25);
  for (const char* link : {"plx0>up0a", "up0b>cpu0", "cpu0>up1a", "up1b>plx1"})
    CHECK(machine.coefficient(route, link) == 0.5 * 1.25);
  CHECK(route.bottleneck == 16e9 / 1.25);
  // Not to the bridge itself, and without a cost as wide as the stripes.
  CHECK(machine.coefficient(machine.route("gpu0", "cpu0"), "plx0>up0a") == 0.5);
  CHECK(Routed(two_uplinks(1)).route("gpu0", "gpu1").bottleneck == 16e9);
}

TEST_CASE("staged packets pay nothing, and those that only turn at the root pay") {
  Topology::Parts parts = two_uplinks();
  parts.routing.p2p = PeerLevel::nvl;
  Routed staged(parts);
  CHECK(staged.coefficient(staged.route("gpu0", "gpu1"), "plx0>up0a") == 0.5);
  parts.routing = {};
  parts.routing.acs = true;
  const NodeId gpu2 = add_node(parts, "gpu2", NodeKind::gpu);
  add_cable(parts, gpu2, Topology(parts).node("plx0"), cable(LinkKind::pcie, 32));
  Routed up(parts);
  const Route& route = up.route("gpu0", "gpu2");
  CHECK(up.coefficient(route, "plx0>up0a") == 0.5 * 1.25);
  CHECK(up.coefficient(route, "up0a>plx0") == 0.5 * 1.25);
  CHECK(up.coefficient(route, "plx0>gpu2") == 1.25);
}

TEST_CASE("links that are no PCIe pay nothing, and end what is paid") {
  // gpu0 - cpu0 = socket = cpu1 - cpu2 - gpu1, where cpu1 and cpu2 cost.
  Topology::Parts parts;
  testing::add_gpus(parts, 2);
  for (const char* id : {"cpu0", "cpu1", "cpu2"}) add_node(parts, id, NodeKind::cpu);
  for (const NodeId cpu : {2U, 3U}) parts.nodes[cpu].peer_cost = 2;
  parts.nodes[4].peer_cost = 1.5;
  add_cable(parts, 0, 2, cable(LinkKind::pcie, 16));
  add_cable(parts, 2, 3, cable(LinkKind::socket, 16));
  add_cable(parts, 3, 4, cable(LinkKind::pcie, 16));
  add_cable(parts, 4, 1, cable(LinkKind::pcie, 16));
  Routed machine(parts);
  const Route& route = machine.route("gpu0", "gpu1");
  CHECK(machine.coefficient(route, "gpu0>cpu0") == 1);
  CHECK(machine.coefficient(route, "cpu0>cpu1") == 1);
  CHECK(machine.coefficient(route, "cpu1>cpu2") == 1.5);
  CHECK(machine.coefficient(route, "cpu2>gpu1") == 1.5);
}

}  // namespace syncsim::peer_costs_test
