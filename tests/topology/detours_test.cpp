// Rules 6 to 10: what the routing policy of a machine does to its routes.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/topology/edits.h"
#include "tests/support/refusal.h"
#include "tests/support/routed.h"
#include "tests/topology/servers.h"

namespace syncsim::detours_test {
namespace {

using testing::add_cable;
using testing::add_node;
using testing::cable;
using testing::limited;
using testing::Names;
using testing::Routed;
using testing::server;
using testing::two_nics_a_switch;
using testing::two_servers;
using testing::under;

}  // namespace

TEST_CASE("without a policy peers take the shortest way, under their switch or over the sockets") {
  Routed machine(server());
  CHECK(machine.links(machine.route("gpu0", "gpu1")) == Names{"gpu0>plx0", "plx0>gpu1"});
  CHECK(machine.links(machine.route("gpu0", "gpu2")) ==
        Names{"gpu0>plx0", "plx0>cpu0", "cpu0>gpu2"});
  const Route& far = machine.route("gpu0", "gpu5");
  CHECK(machine.links(far) == Names{"gpu0>plx0", "plx0>cpu0", "cpu0>cpu1", "cpu1>gpu5"});
  CHECK(machine.coefficient(far, "cpu0:transit") == 1);
  CHECK(far.bottleneck == 10e9);
}

TEST_CASE("P2P off: both legs, and the transit of the source's cpu twice") {
  Routed machine(under(server(), limited(PeerLevel::nvl)));
  const Route& near = machine.route("gpu0", "gpu1");
  CHECK(machine.links(near) == Names{"gpu0>plx0", "plx0>cpu0", "cpu0>plx0", "plx0>gpu1"});
  CHECK(machine.coefficient(near, "cpu0:transit") == 2);
  CHECK(near.bottleneck == 10e9);  // 20 / 2
  CHECK(near.hops == 4);
  const Route& far = machine.route("gpu0", "gpu5");
  CHECK(machine.coefficient(far, "cpu0:transit") == 2);
  CHECK(machine.coefficient(far, "cpu1:transit") == 1);
}

TEST_CASE("a P2P level reaches as far as NCCL's of that name") {
  const auto staged = [](PeerLevel level, const std::string& to) {
    Routed machine(under(server(), limited(level)));
    return machine.coefficient(machine.route("gpu0", to), "cpu0:transit") == 2;
  };
  // gpu1: one switch (PIX); gpu2: a host bridge (PHB); gpu5: the other socket (SYS).
  CHECK(staged(PeerLevel::nvl, "gpu1"));
  CHECK(!staged(PeerLevel::pix, "gpu1"));
  CHECK(staged(PeerLevel::pxb, "gpu2"));
  CHECK(!staged(PeerLevel::phb, "gpu2"));
  CHECK(staged(PeerLevel::phb, "gpu5"));
  CHECK(!staged(PeerLevel::sys, "gpu5"));
}

TEST_CASE("two PCIe switches in a row are PXB") {
  Topology::Parts parts;
  testing::add_gpus(parts, 2);
  const NodeId left = add_node(parts, "plx0", NodeKind::switch_);
  const NodeId right = add_node(parts, "plx1", NodeKind::switch_);
  const NodeId cpu = add_node(parts, "cpu0", NodeKind::cpu);
  for (const auto& [a, b] : {std::pair(0U, left), {1U, right}, {left, right}, {left, cpu}})
    add_cable(parts, a, b, cable(LinkKind::pcie, 16));
  CHECK(Routed(under(parts, limited(PeerLevel::pix))).route("gpu0", "gpu1").hops == 5);
  CHECK(Routed(under(parts, limited(PeerLevel::pxb))).route("gpu0", "gpu1").hops == 3);
}

TEST_CASE("NVLink pairs stay direct at NVL and are staged at LOC") {
  Topology::Parts parts = server();
  add_cable(parts, 0, 1, cable(LinkKind::nvlink, 50));
  Routed nvl(under(parts, limited(PeerLevel::nvl)));
  CHECK(nvl.links(nvl.route("gpu0", "gpu1")) == Names{"gpu0>gpu1"});
  Routed loc(under(parts, limited(PeerLevel::loc)));
  CHECK(loc.links(loc.route("gpu0", "gpu1")) ==
        Names{"gpu0>plx0", "plx0>cpu0", "cpu0>plx0", "plx0>gpu1"});
}

TEST_CASE("ACS: peers of one switch go up to the root and down, once through its transit") {
  RoutingPolicy policy;
  policy.acs = true;
  Routed machine(under(server(), policy));
  const Route& near = machine.route("gpu0", "gpu1");
  CHECK(machine.links(near) == Names{"gpu0>plx0", "plx0>cpu0", "cpu0>plx0", "plx0>gpu1"});
  CHECK(machine.coefficient(near, "cpu0:transit") == 1);
  CHECK(near.bottleneck == 16e9);
  CHECK(machine.route("gpu0", "gpu2").hops == 3);  // passes the root anyway
}

TEST_CASE("a host bridge's peer cost is paid on the PCIe links from device to device") {
  Topology::Parts parts = server();
  for (Node& node : parts.nodes)
    if (node.kind == NodeKind::cpu) node.peer_cost = 1.2;
  Routed machine(parts);
  const Route& through = machine.route("gpu0", "gpu2");
  for (const char* link : {"gpu0>plx0", "plx0>cpu0", "cpu0>gpu2"})
    CHECK(machine.coefficient(through, link) == doctest::Approx(1.2).epsilon(1e-15));
  CHECK(machine.coefficient(through, "cpu0:transit") == 1);
  CHECK(through.bottleneck == doctest::Approx(16e9 / 1.2));
  // Not below a switch, not to the cpu itself, not over the socket link, not staged.
  CHECK(machine.coefficient(machine.route("gpu0", "gpu1"), "gpu0>plx0") == 1);
  CHECK(machine.coefficient(machine.route("gpu0", "cpu0"), "gpu0>plx0") == 1);
  CHECK(machine.coefficient(machine.route("gpu0", "gpu5"), "gpu0>plx0") == 1);
  Routed staged(under(parts, limited(PeerLevel::nvl)));
  CHECK(staged.coefficient(staged.route("gpu0", "gpu2"), "gpu0>plx0") == 1);
  // ACS makes peers of one switch pay it.
  RoutingPolicy acs;
  acs.acs = true;
  Routed up(under(parts, acs));
  CHECK(up.coefficient(up.route("gpu0", "gpu1"), "plx0>cpu0") == doctest::Approx(1.2));
}

TEST_CASE("machines reach each other by the nic under the gpu's switch") {
  Routed machine(two_servers());
  CHECK(machine.links(machine.route("a/gpu0", "b/gpu1")) ==
        Names{"a/gpu0>a/plx0", "a/plx0>a/nic0", "a/nic0>rail0", "rail0>b/nic0", "b/nic0>b/plx0",
              "b/plx0>b/gpu1"});
}

TEST_CASE("a nic that the policy gives is passed instead, going out and coming in") {
  Topology::Parts parts = two_servers();
  const Topology plain(parts);
  parts.routing.nics = {{plain.node("a/gpu0"), plain.node("a/nic1")},
                        {plain.node("b/gpu1"), plain.node("b/nic1")}};
  Routed machine(parts);
  CHECK(machine.links(machine.route("a/gpu0", "b/gpu1")) ==
        Names{"a/gpu0>a/plx0", "a/plx0>a/cpu0", "a/cpu0>a/cpu1", "a/cpu1>a/plx1", "a/plx1>a/nic1",
              "a/nic1>rail1", "rail1>b/nic1", "b/nic1>b/plx1", "b/plx1>b/cpu1", "b/cpu1>b/cpu0",
              "b/cpu0>b/plx0", "b/plx0>b/gpu1"});
  CHECK(machine.route("a/gpu1", "b/gpu0").hops == 6);  // gives none
}

TEST_CASE("without GPUDirect the way between gpu and nic is staged, at both ends") {
  RoutingPolicy policy;
  policy.gdr = false;
  Routed machine(under(two_servers(), policy));
  const Route& route = machine.route("a/gpu0", "b/gpu0");
  CHECK(route.hops == 6 + 2 * 2);
  CHECK(machine.coefficient(route, "a/cpu0:transit") == 2);
  CHECK(machine.coefficient(route, "b/cpu0:transit") == 2);
  CHECK(machine.coefficient(route, "a/cpu0>a/plx0") == 1);
  CHECK(machine.route("a/gpu0", "a/gpu1").hops == 2);  // peers still reach each other
  CHECK(machine.route("a/cpu0", "b/cpu0").hops == 6);  // host memory needs no staging
}

TEST_CASE("ACS leads the way between gpu and nic over the root") {
  RoutingPolicy policy;
  policy.acs = true;
  Routed machine(under(two_servers(), policy));
  const Route& route = machine.route("a/gpu0", "b/gpu2");
  CHECK(machine.links(route) == Names{"a/gpu0>a/plx0", "a/plx0>a/cpu0", "a/cpu0>a/plx0",
                                      "a/plx0>a/nic0", "a/nic0>rail0", "rail0>b/nic0",
                                      "b/nic0>b/plx0", "b/plx0>b/cpu0", "b/cpu0>b/gpu2"});
  CHECK(machine.coefficient(route, "a/cpu0:transit") == 1);
}

TEST_CASE("gpu i of a box has the i-th of its nearest nics on every channel") {
  Routed machine(two_nics_a_switch());
  const auto nic = [&](const std::string& from, const std::string& to, std::uint32_t channel) {
    return machine.links(machine.route(from, to, channel)).at(1);
  };
  CHECK(nic("a/gpu0", "b/gpu0", 0) == "a/plx0>a/nic0");
  CHECK(nic("a/gpu1", "b/gpu1", 0) == "a/plx0>a/nic1");
  CHECK(nic("b/gpu2", "a/gpu2", 0) == "b/plx1>b/nic2");
  CHECK(nic("a/gpu0", "b/gpu1", 0) == "a/plx0>a/nic0");
  CHECK(nic("a/gpu0", "b/gpu0", 1) == "a/plx0>a/nic0");
  CHECK(nic("a/gpu1", "b/gpu1", 3) == "a/plx0>a/nic1");
}

TEST_CASE("where a gpu has several nics to itself, channels go around in them") {
  // One gpu, two nics a box.
  Topology::Parts parts = two_nics_a_switch();
  const Topology fewer =
      apply_edits(Topology(parts),
                  std::vector{parse_edit("remove node:*/gpu1"), parse_edit("remove node:*/gpu2"),
                              parse_edit("remove node:*/gpu3"), parse_edit("remove node:*/nic2"),
                              parse_edit("remove node:*/nic3")});
  Routed machine(fewer.parts());
  for (const std::uint32_t channel : {0U, 1U, 2U, 3U})
    CHECK(machine.links(machine.route("a/gpu0", "b/gpu0", channel)).at(1) ==
          "a/plx0>a/nic" + std::to_string(channel % 2));
}

TEST_CASE("staging keeps to the box: a cpu beyond the network is none") {
  Topology::Parts parts = two_servers();
  const Topology cut = apply_edits(Topology(parts), std::vector{parse_edit("remove node:a/gpu2"),
                                                                parse_edit("remove node:a/gpu5"),
                                                                parse_edit("remove node:a/cpu*")});
  Topology::Parts left = under(cut.parts(), limited(PeerLevel::nvl));
  Routed machine(left);
  CHECK(testing::refusal_of([&] {
          machine.route("a/gpu0", "a/gpu1");
        }).starts_with("the routing policy leads the traffic of a/gpu0 through a cpu"));
  CHECK(machine.route("b/gpu0", "b/gpu1").hops == 4);
}

TEST_CASE("across rails a gpu is reached by its own nic, whichever spine carries the flow") {
  Routed machine(two_nics_a_switch());
  for (const std::string from : {"a/gpu0", "a/gpu1"})
    for (const std::string to : {"2", "3"}) {
      CAPTURE(from + " to b/gpu" + to);
      const Names links = machine.links(machine.route(from, "b/gpu" + to));
      REQUIRE(links.size() == 8);
      CHECK(links[5] == "rail" + to + ">b/nic" + to);
    }
  // c is 1 + the destination's number.
  CHECK(machine.links(machine.route("a/gpu0", "b/gpu2")).at(3) == "rail0>spine1");
  CHECK(machine.links(machine.route("a/gpu0", "b/gpu3")).at(3) == "rail0>spine0");
}

TEST_CASE("staging without a cpu to stage in is refused") {
  Topology::Parts parts = under(testing::star(2), limited(PeerLevel::nvl));
  Routed machine(parts);
  CHECK(testing::refusal_of([&] { machine.route("gpu0", "gpu1"); }) ==
        "the routing policy leads the traffic of gpu0 through a cpu, and it reaches none; "
        "join it to one, or allow its devices to reach each other");
}

}  // namespace syncsim::detours_test
