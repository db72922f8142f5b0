#include "sim/topology/path_level.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/routed.h"
#include "tests/topology/servers.h"

namespace syncsim::path_level_test {
namespace {

using testing::add_cable;
using testing::add_node;
using testing::cable;
using testing::limited;
using testing::Routed;
using testing::server;
using testing::striped;
using testing::under;

PeerLevel level(Routed& machine, const std::string& from, const std::string& to) {
  return path_level(machine.topology, machine.route(from, to).links);
}

using Hops = std::vector<std::size_t>;

// gpu0 and gpu1 below plx0 and plx1, which two switches join, as one stripe.
Topology::Parts striped_tree() {
  Topology::Parts parts;
  testing::add_gpus(parts, 2);
  for (const char* id : {"plx0", "plx1", "s0", "s1"}) add_node(parts, id, NodeKind::switch_);
  add_cable(parts, 0, 2, cable(LinkKind::pcie, 16));
  add_cable(parts, 3, 1, cable(LinkKind::pcie, 16));
  for (const NodeId middle : {4U, 5U}) {
    add_cable(parts, 2, middle, striped(cable(LinkKind::pcie, 8)));
    add_cable(parts, middle, 3, cable(LinkKind::pcie, 8));
  }
  return parts;
}

}  // namespace

TEST_CASE("a path's level is NCCL's: NVL, PIX, PXB, PHB, SYS") {
  Topology::Parts parts = server();
  add_cable(parts, 0, 1, cable(LinkKind::nvlink, 50));
  const NodeId plx = add_node(parts, "plx2", NodeKind::switch_);
  const NodeId last = add_node(parts, "gpu6", NodeKind::gpu);
  add_cable(parts, plx, Topology(parts).node("plx0"), cable(LinkKind::pcie, 16));
  add_cable(parts, last, plx, cable(LinkKind::pcie, 16));
  Routed machine(parts);
  CHECK(level(machine, "gpu0", "gpu0") == PeerLevel::loc);
  CHECK(level(machine, "gpu0", "gpu1") == PeerLevel::nvl);
  CHECK(level(machine, "gpu0", "nic0") == PeerLevel::pix);
  CHECK(level(machine, "gpu0", "gpu6") == PeerLevel::pxb);
  CHECK(level(machine, "gpu0", "gpu2") == PeerLevel::phb);
  CHECK(level(machine, "gpu0", "gpu5") == PeerLevel::sys);
}

TEST_CASE("the network is SYS, however short") {
  Routed machine(testing::star(2, testing::gigabytes(25), LinkKind::network));
  CHECK(level(machine, "gpu0", "gpu1") == PeerLevel::sys);
}

TEST_CASE("ways of a stripe are one hop, so that two switches side by side are one") {
  Routed machine(striped_tree());
  const Route& route = machine.route("gpu0", "gpu1");
  CHECK(route.links.size() == 6);
  CHECK(hops_before(machine.topology, route.links) == Hops{0, 1, 1, 2, 2, 3});
  CHECK(level(machine, "gpu0", "gpu1") == PeerLevel::pxb);
  Topology::Parts beside = testing::parallel_ways(2, striped(cable(LinkKind::pcie, 8)));
  Routed pix(beside);
  REQUIRE(pix.route("gpu0", "gpu1").links.size() == 4);
  CHECK(level(pix, "gpu0", "gpu1") == PeerLevel::pix);
}

TEST_CASE("a node that is passed again counts at each passage") {
  Routed machine(under(server(), limited(PeerLevel::nvl)));
  const Route& route = machine.route("gpu0", "gpu1");
  CHECK(hops_before(machine.topology, route.links) == Hops{0, 1, 2, 3});
  CHECK(path_level(machine.topology, route.links) == PeerLevel::phb);
}

}  // namespace syncsim::path_level_test
