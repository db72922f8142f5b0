// Rule 8: relays through gpus.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/topology/edits.h"
#include "tests/support/routed.h"
#include "tests/topology/servers.h"

namespace syncsim::relays_test {
namespace {

using testing::add_cable;
using testing::add_node;
using testing::cable;
using testing::Names;
using testing::Routed;
using testing::server;
using testing::two_nics_a_switch;
using testing::two_servers;

// NVLink from gpu0 of each box to its gpu3 and gpu4.
Topology::Parts joined_servers() {
  Topology::Parts parts = two_servers();
  const Topology plain(parts);
  for (const std::string box : {"a/", "b/"})
    for (const auto& [x, y] : {std::pair("gpu0", "gpu3"), {"gpu0", "gpu4"}})
      add_cable(parts, plain.node(box + x), plain.node(box + y), cable(LinkKind::nvlink, 100));
  return parts;
}

}  // namespace

TEST_CASE("nvb: two gpus without NVLink use the widest gpu between them, equal ones by channel") {
  Topology::Parts parts = testing::dgx1v();
  parts.routing.nvb = true;
  Routed machine(parts);
  // gpu0 and gpu5: by gpu1 at 25 and 50 GB/s, by gpu4 at 50 and 25.
  CHECK(machine.links(machine.route("gpu0", "gpu5", 1)) == Names{"gpu0>gpu1", "gpu1>gpu5"});
  CHECK(machine.links(machine.route("gpu0", "gpu5", 0)) == Names{"gpu0>gpu4", "gpu4>gpu5"});
  CHECK(machine.route("gpu0", "gpu5").route_class == 0);
  // gpu0 and gpu7: by gpu3 at 50 and 25 or by gpu4 at 50 and 50.
  for (const std::uint32_t channel : {0U, 1U})
    CHECK(machine.links(machine.route("gpu0", "gpu7", channel)) == Names{"gpu0>gpu4", "gpu4>gpu7"});
  CHECK(machine.links(machine.route("gpu0", "gpu3")) == Names{"gpu0>gpu3"});
}

TEST_CASE("pxn: another rail is entered through the gpu beside its nic") {
  Topology::Parts parts = joined_servers();
  Routed without(parts);
  CHECK(without.coefficient(without.route("a/gpu0", "b/gpu3"), "rail0>spine") == 1);
  parts.routing.pxn = true;
  Routed machine(parts);
  CHECK(machine.links(machine.route("a/gpu0", "b/gpu3")) ==
        Names{"a/gpu0>a/gpu3", "a/gpu3>a/plx1", "a/plx1>a/nic1", "a/nic1>rail1", "rail1>b/nic1",
              "b/nic1>b/plx1", "b/plx1>b/gpu3"});
  // Its own rail needs no relay, and gpu1 has no NVLink to the gpu that would be one.
  CHECK(machine.route("a/gpu0", "b/gpu1").hops == 6);
  CHECK(machine.coefficient(machine.route("a/gpu1", "b/gpu3"), "rail0>spine") == 1);
}

TEST_CASE("pxn: without spines the rail is changed before the network, not in the far box") {
  Topology::Parts parts = joined_servers();
  const Topology whole(parts);
  const Topology rails = apply_edits(whole, std::vector{parse_edit("remove node:spine")});
  Topology::Parts apart = rails.parts();
  CHECK(Routed(apart).route("a/gpu0", "b/gpu3").hops == 9);
  apart.routing.pxn = true;
  Routed machine(apart);
  CHECK(machine.links(machine.route("a/gpu0", "b/gpu3")).front() == "a/gpu0>a/gpu3");
  CHECK(machine.route("a/gpu0", "b/gpu3").hops == 7);
}

TEST_CASE("pxn: the far rail's nic is used even where as much of the network is passed") {
  Topology::Parts parts = server("b/", server("a/"));
  const NodeId spine = add_node(parts, "spine", NodeKind::switch_);
  for (const std::string box : {"a/", "b/"}) {
    for (const std::string number : {"0", "1"}) {
      const NodeId leaf = add_node(parts, box + "rail" + number, NodeKind::switch_);
      add_cable(parts, leaf, spine, cable(LinkKind::network, 25));
      add_cable(parts, Topology(parts).node(box + "nic" + number), leaf,
                cable(LinkKind::network, 25));
    }
    for (const char* gpu : {"gpu1", "gpu3"})
      add_cable(parts, Topology(parts).node(box + "gpu0"), Topology(parts).node(box + gpu),
                cable(LinkKind::nvlink, 100));
  }
  const Names straight = {"a/gpu0>a/plx0", "a/plx0>a/nic0",  "a/nic0>a/rail0", "a/rail0>spine",
                          "spine>b/rail1", "b/rail1>b/nic1", "b/nic1>b/plx1",  "b/plx1>b/gpu3"};
  Routed without(parts);
  CHECK(without.links(without.route("a/gpu0", "b/gpu3")) == straight);
  parts.routing.pxn = true;
  Routed machine(parts);
  CHECK(machine.links(machine.route("a/gpu0", "b/gpu3")) ==
        Names{"a/gpu0>a/gpu3", "a/gpu3>a/plx1", "a/plx1>a/nic1", "a/nic1>a/rail1", "a/rail1>spine",
              "spine>b/rail1", "b/rail1>b/nic1", "b/nic1>b/plx1", "b/plx1>b/gpu3"});
  // gpu1 would leave by the same nic: nothing is won.
  CHECK(machine.links(machine.route("a/gpu0", "b/gpu1")).front() == "a/gpu0>a/plx0");
}

TEST_CASE("pxn gives way to the level LOC and to a given nic") {
  Topology::Parts parts = joined_servers();
  parts.routing.pxn = true;
  parts.routing.p2p = PeerLevel::loc;
  Routed loc(parts);
  CHECK(loc.links(loc.route("a/gpu0", "b/gpu3")).front() == "a/gpu0>a/plx0");
  const Topology plain(parts);
  parts.routing.p2p = PeerLevel::sys;
  parts.routing.nics = {{plain.node("a/gpu0"), plain.node("a/nic1")}};
  Routed given(parts);
  CHECK(given.links(given.route("a/gpu0", "b/gpu3")).at(0) == "a/gpu0>a/plx0");
  CHECK(given.coefficient(given.route("a/gpu0", "b/gpu3"), "a/nic1>rail1") == 1);
}

TEST_CASE("a relay's nic goes with the channel, staged or not") {
  Topology::Parts parts = two_nics_a_switch();
  const Topology plain(parts);
  for (const std::string box : {"a/", "b/"}) {
    add_cable(parts, plain.node(box + "gpu0"), plain.node(box + "gpu2"),
              cable(LinkKind::nvlink, 100));
    const NodeId cpu = testing::add_node(parts, box + "cpu0", NodeKind::cpu);
    for (const char* plx : {"plx0", "plx1"})
      add_cable(parts, plain.node(box + plx), cpu, cable(LinkKind::pcie, 32));
  }
  parts.routing.pxn = true;
  for (const bool gdr : {true, false}) {
    CAPTURE(gdr);
    parts.routing.gdr = gdr;
    Routed machine(parts);
    // Each gpu has one nic of its own here: channels stay with it.
    for (const std::uint32_t channel : {0U, 1U})
      CHECK(machine.coefficient(machine.route("a/gpu0", "b/gpu2", channel), "a/nic2>rail2") == 1);
  }
}

}  // namespace syncsim::relays_test
