// Rule 9: nics that the policy, or a run, gives to a flow; and rules 6 and 7 for nics as ends.

#include <doctest/doctest.h>

#include <string>

#include "tests/support/refusal.h"
#include "tests/support/routed.h"
#include "tests/topology/servers.h"

namespace syncsim::given_nics_test {
namespace {

using testing::add_cable;
using testing::add_node;
using testing::cable;
using testing::limited;
using testing::Names;
using testing::refusal_of;
using testing::Routed;
using testing::two_nics_a_switch;
using testing::two_servers;
using testing::under;

// By a run: "" for none.
const Route& route(Routed& machine, const std::string& from, const std::string& to,
                   const std::string& out, const std::string& in, std::uint32_t channel = 0) {
  const auto nic = [&](const std::string& id) {
    return id.empty() ? std::nullopt : std::optional(machine.topology.node(id));
  };
  return machine.router.route(machine.topology.node(from), machine.topology.node(to), channel,
                              {nic(out), nic(in)});
}

RoutingPolicy with_gdr_off() {
  RoutingPolicy policy;
  policy.gdr = false;
  return policy;
}

RoutingPolicy with_acs() {
  RoutingPolicy policy;
  policy.acs = true;
  return policy;
}

}  // namespace

TEST_CASE("a flow takes the nics that the run gives it, on the channel that asks for them") {
  Routed machine(two_nics_a_switch());
  const Names own = machine.links(machine.route("a/gpu0", "b/gpu0"));
  CHECK(own.at(1) == "a/plx0>a/nic0");
  CHECK(machine.links(route(machine, "a/gpu0", "b/gpu0", "a/nic1", "b/nic1")) ==
        Names{"a/gpu0>a/plx0", "a/plx0>a/nic1", "a/nic1>rail1", "rail1>b/nic1", "b/nic1>b/plx0",
              "b/plx0>b/gpu0"});
  const Names crossed = machine.links(route(machine, "a/gpu0", "b/gpu0", "a/nic0", "b/nic1"));
  CHECK(crossed.size() == 8);
  CHECK(crossed.at(2) == "a/nic0>rail0");
  CHECK(crossed.at(5) == "rail1>b/nic1");
  CHECK(machine.links(machine.route("a/gpu0", "b/gpu0")) == own);  // others are not concerned
}

TEST_CASE("one given nic leaves the other end to the route") {
  Routed machine(two_nics_a_switch());
  CHECK(machine.links(route(machine, "a/gpu0", "b/gpu0", "a/nic1", "")).at(1) == "a/plx0>a/nic1");
  CHECK(machine.links(route(machine, "a/gpu0", "b/gpu0", "", "b/nic1")).at(4) == "b/nic1>b/plx0");
}

TEST_CASE("given nics count on the way over the network only") {
  Routed machine(two_nics_a_switch());
  CHECK(route(machine, "a/gpu0", "a/gpu1", "a/nic0", "a/nic1").hops == 2);
}

TEST_CASE("from a given nic on, and up to one, the way is the network's") {
  // Under one switch, nic1 would be as near by PCIe as by the spine.
  Topology::Parts parts = two_nics_a_switch();
  for (Link& link : parts.links)
    if (link.kind == LinkKind::network) link.latency = Time{1000};
  Routed machine(parts);
  for (const std::uint32_t channel : {0U, 1U, 2U, 3U}) {
    const Route& way = route(machine, "a/gpu0", "b/gpu0", "a/nic0", "b/nic1", channel);
    CHECK(machine.coefficient(way, "a/plx0>a/nic1") == 0);
    CHECK(machine.coefficient(way, "a/nic0>a/plx0") == 0);
    CHECK(machine.coefficient(way, "rail1>b/nic1") == 1);
    CHECK(way.hops == 8);
  }
}

TEST_CASE("a run's nic goes before the policy's, and before a relay's") {
  Topology::Parts parts = two_nics_a_switch();
  const Topology plain(parts);
  add_cable(parts, plain.node("a/gpu0"), plain.node("a/gpu2"), cable(LinkKind::nvlink, 100));
  parts.routing.pxn = true;
  parts.routing.nics = {{plain.node("a/gpu1"), plain.node("a/nic0")}};
  Routed machine(parts);
  CHECK(machine.links(machine.route("a/gpu1", "b/gpu1")).at(1) == "a/plx0>a/nic0");
  CHECK(machine.links(route(machine, "a/gpu1", "b/gpu1", "a/nic1", "")).at(1) == "a/plx0>a/nic1");
  CHECK(machine.links(machine.route("a/gpu0", "b/gpu2")).front() == "a/gpu0>a/gpu2");
  CHECK(machine.links(route(machine, "a/gpu0", "b/gpu2", "a/nic0", "")).front() == "a/gpu0>a/plx0");
}

TEST_CASE("given nics are staged and led over the root like others") {
  Routed staged(under(two_servers(), with_gdr_off()));
  const Route& far = route(staged, "a/gpu0", "b/gpu0", "a/nic1", "b/nic1");
  CHECK(staged.coefficient(far, "a/cpu0:transit") == 2);
  CHECK(staged.coefficient(far, "b/cpu0:transit") == 2);
  CHECK(staged.coefficient(far, "a/nic1>rail1") == 1);
}

TEST_CASE("a given nic that is reached over the network only, or not at all, is refused") {
  Topology::Parts parts = two_servers();
  add_node(parts, "a/nic9", NodeKind::nic);
  const Topology plain(parts);
  Routed machine(parts);
  CHECK(refusal_of([&] { route(machine, "a/gpu0", "b/gpu0", "b/nic0", ""); }) ==
        "a/gpu0 is to use b/nic0, which it reaches over the network only; give it a nic of its own "
        "machine");
  CHECK(refusal_of([&] { route(machine, "a/gpu0", "b/gpu0", "", "a/nic9"); }) ==
        "b/gpu0 is to use a/nic9, which it reaches not at all; give it a nic of its own machine");
  parts.routing.nics = {{plain.node("b/gpu0"), plain.node("a/nic0")}};
  Routed by_policy(parts);
  CHECK(refusal_of([&] { by_policy.route("a/gpu0", "b/gpu0"); }) ==
        "b/gpu0 is to use a/nic0, which it reaches over the network only; give it a nic of its own "
        "machine");
}

TEST_CASE("given nics that no network joins are refused") {
  Topology::Parts parts = two_servers();
  std::erase_if(parts.links, [&](const Link& link) {
    return parts.nodes[link.from].id == "spine" || parts.nodes[link.to].id == "spine";
  });
  Routed machine(parts);
  CHECK(route(machine, "a/gpu0", "b/gpu0", "a/nic1", "b/nic1").hops == 12);
  CHECK(refusal_of([&] { route(machine, "a/gpu0", "b/gpu0", "a/nic0", "b/nic1"); }) ==
        "a/gpu0 is to leave by a/nic0 and b/gpu0 to be reached by b/nic1, but no network joins the "
        "two; give nics that a network joins");
}

TEST_CASE("behind a waypoint, the fabric is chosen by the destination still") {
  Topology::Parts parts = two_nics_a_switch();
  const auto spine = [](Routed& machine, const std::string& to) {
    return machine.links(route(machine, "a/gpu0", to, "a/nic0", "b/nic3")).at(3);
  };
  Routed machine(parts);
  // c is 1, the box's number, + the destination's number; not nic3's.
  CHECK(spine(machine, "b/gpu2") == "rail0>spine1");
  CHECK(spine(machine, "b/gpu3") == "rail0>spine0");
}

TEST_CASE("without GPUDirect a flow from a gpu to a nic, or back, is staged") {
  Routed machine(under(testing::server(), with_gdr_off()));
  const Route& there = machine.route("gpu0", "nic0");
  CHECK(machine.links(there) == Names{"gpu0>plx0", "plx0>cpu0", "cpu0>plx0", "plx0>nic0"});
  CHECK(machine.coefficient(there, "cpu0:transit") == 2);
  CHECK(there.bottleneck == 10e9);
  const Route& back = machine.route("nic0", "gpu0");
  CHECK(machine.links(back) == Names{"nic0>plx0", "plx0>cpu0", "cpu0>plx0", "plx0>gpu0"});
  CHECK(machine.coefficient(back, "cpu0:transit") == 2);
  CHECK(machine.route("cpu0", "nic0").hops == 2);  // host memory needs none
  Routed far(under(two_servers(), with_gdr_off()));
  CHECK(far.coefficient(far.route("a/gpu0", "b/nic0"), "a/cpu0:transit") == 2);
  CHECK(far.coefficient(far.route("a/gpu0", "b/nic0"), "b/cpu0:transit") == 0);
}

TEST_CASE("ACS leads a flow between a gpu and a nic of one switch over the root") {
  Routed machine(under(testing::server(), with_acs()));
  CHECK(machine.links(machine.route("gpu0", "nic0")) ==
        Names{"gpu0>plx0", "plx0>cpu0", "cpu0>plx0", "plx0>nic0"});
  CHECK(machine.coefficient(machine.route("gpu0", "nic0"), "cpu0:transit") == 1);
  CHECK(machine.links(machine.route("nic0", "gpu2")) ==
        Names{"nic0>plx0", "plx0>cpu0", "cpu0>gpu2"});  // passes it anyway
  CHECK(machine.links(machine.route("gpu0", "cpu0")) == Names{"gpu0>plx0", "plx0>cpu0"});
}

TEST_CASE("a P2P level is none of a nic's business") {
  Routed machine(under(testing::server(), limited(PeerLevel::loc)));
  CHECK(machine.links(machine.route("gpu0", "nic0")) == Names{"gpu0>plx0", "plx0>nic0"});
}

TEST_CASE("a gpu that needs no nic to reach the network is not staged for that of the other end") {
  Topology::Parts parts = two_servers();
  const NodeId gpu = add_node(parts, "c/gpu0", NodeKind::gpu);
  add_cable(parts, gpu, Topology(parts).node("rail0"), cable(LinkKind::network, 25));
  Routed machine(under(parts, with_gdr_off()));
  const Route& there = machine.route("c/gpu0", "b/gpu0");
  CHECK(machine.links(there) == Names{"c/gpu0>rail0", "rail0>b/nic0", "b/nic0>b/plx0",
                                      "b/plx0>b/cpu0", "b/cpu0>b/plx0", "b/plx0>b/gpu0"});
  CHECK(machine.route("b/gpu0", "c/gpu0").hops == 6);
}

}  // namespace syncsim::given_nics_test
