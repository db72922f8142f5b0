#include "sim/topology/routing.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "tests/support/refusal.h"
#include "tests/support/routed.h"

namespace syncsim::routing_test {
namespace {

using testing::add_cable;
using testing::gigabytes;
using testing::link_of;
using testing::Names;
using testing::parallel_ways;
using testing::pcie;
using testing::Routed;
using testing::s;
using testing::timed;
using testing::two_gpus;

}  // namespace

TEST_CASE(
    "a route's latency is its links' sum, its overhead their most, its bottleneck the least") {
  Topology::Parts parts = two_gpus(1);
  Link first = timed(link_of(LinkKind::pcie, {16}), 300);
  first.overhead = Time{70};
  add_cable(parts, 0, s(0), first);
  add_cable(parts, s(0), 1, timed(link_of(LinkKind::network, {10}), 50));
  Routed machine(parts);
  const Route& route = machine.route("gpu0", "gpu1");
  CHECK(machine.links(route) == Names{"gpu0>s0", "s0>gpu1"});
  CHECK(route.uses == std::vector<ResourceUse>{{machine.resources.of_link(0), 1},
                                               {machine.resources.of_link(2), 1}});
  CHECK(route.latency == Time{350});
  CHECK(route.overhead == Time{70});
  CHECK(route.bottleneck == 10);
  CHECK(route.hops == 2);
  CHECK(route.route_class == 3);
}

TEST_CASE("a route to itself has no links and no bottleneck") {
  Routed machine(testing::star(2));
  const Route& route = machine.route("gpu0", "gpu0");
  CHECK(route.uses.empty());
  CHECK(route.links.empty());
  CHECK(route.latency == Time{});
  CHECK(route.hops == 0);
  CHECK(route.bottleneck == std::numeric_limits<double>::infinity());
}

TEST_CASE("the bottleneck follows the rates of the run") {
  Topology::Parts parts = testing::star(2);
  for (Link& link : parts.links) link.usable = gigabytes(12);
  CHECK(Routed(parts).route("gpu0", "gpu1").bottleneck == 16e9);
  CHECK(Routed(parts, 0, Rates::usable).route("gpu0", "gpu1").bottleneck == 12e9);
}

TEST_CASE("class comes before hops: three NVLink hops before one over PCIe") {
  Topology::Parts parts = two_gpus(2);
  add_cable(parts, 0, 1, pcie());
  add_cable(parts, 0, s(0), link_of(LinkKind::nvlink, {1}));
  add_cable(parts, s(0), s(1), link_of(LinkKind::xgmi, {1}));
  add_cable(parts, s(1), 1, link_of(LinkKind::c2c, {1}));
  Routed machine(parts);
  CHECK(machine.links(machine.route("gpu0", "gpu1")) == Names{"gpu0>s0", "s0>s1", "s1>gpu1"});
  CHECK(machine.route("gpu0", "gpu1").route_class == 0);
}

TEST_CASE("the worst link of a path is its class, whatever the others are") {
  Topology::Parts parts = two_gpus(2);
  add_cable(parts, 0, s(0), link_of(LinkKind::nvlink, {100}));
  add_cable(parts, s(0), 1, link_of(LinkKind::network, {100}));
  add_cable(parts, 0, s(1), link_of(LinkKind::host, {1}));
  add_cable(parts, s(1), 1, link_of(LinkKind::socket, {1}));
  Routed machine(parts);
  CHECK(machine.links(machine.route("gpu0", "gpu1")) == Names{"gpu0>s1", "s1>gpu1"});
  CHECK(machine.route("gpu0", "gpu1").route_class == 2);
}

TEST_CASE("fewest hops come before width") {
  Topology::Parts parts = two_gpus(1);
  add_cable(parts, 0, 1, link_of(LinkKind::pcie, {1}));
  add_cable(parts, 0, s(0), pcie());
  add_cable(parts, s(0), 1, pcie());
  Routed machine(parts);
  CHECK(machine.links(machine.route("gpu0", "gpu1")) == Names{"gpu0>gpu1"});
}

TEST_CASE("width comes before latency, latency before the order of links") {
  Topology::Parts parts = two_gpus(3);
  add_cable(parts, 0, s(0), timed(link_of(LinkKind::pcie, {8}), 1));
  add_cable(parts, s(0), 1, timed(pcie(), 1));
  for (NodeId way : {1U, 2U}) {
    add_cable(parts, 0, s(way), timed(pcie(), 10 - way));
    add_cable(parts, s(way), 1, timed(pcie(), 5));
  }
  Routed machine(parts);
  for (std::uint32_t channel = 0; channel < 4; ++channel)
    CHECK(machine.links(machine.route("gpu0", "gpu1", channel)) == Names{"gpu0>s2", "s2>gpu1"});
}

TEST_CASE("a wide detour before a narrow last link is worth nothing: the quick way is taken") {
  // To s2 the wide slow way by s0 is best. To gpu1, behind a narrow link, both ways are equally
  // wide, so the quick one by s1 is: the best way to s2 is no part of it.
  Topology::Parts parts = two_gpus(3);
  add_cable(parts, 0, s(0), timed(link_of(LinkKind::pcie, {16}), 100));
  add_cable(parts, s(0), s(2), timed(link_of(LinkKind::pcie, {16}), 100));
  add_cable(parts, 0, s(1), timed(link_of(LinkKind::pcie, {8}), 1));
  add_cable(parts, s(1), s(2), timed(link_of(LinkKind::pcie, {8}), 1));
  add_cable(parts, s(2), 1, timed(link_of(LinkKind::pcie, {4}), 1));
  Routed machine(parts);
  CHECK(machine.links(machine.route("gpu0", "s2")) == Names{"gpu0>s0", "s0>s2"});
  const Route& route = machine.route("gpu0", "gpu1");
  CHECK(machine.links(route) == Names{"gpu0>s1", "s1>s2", "s2>gpu1"});
  CHECK(route.latency == Time{3});
  CHECK(route.bottleneck == 4);
}

TEST_CASE("gpus do not forward unless they say so") {
  Topology::Parts parts = testing::dgx1v();
  Routed machine(parts);
  CHECK(machine.links(machine.route("gpu0", "gpu3")) == Names{"gpu0>gpu3"});
  const Route& around = machine.route("gpu0", "gpu5");
  CHECK(machine.links(around) ==
        Names{"gpu0>plx0", "plx0>cpu0", "cpu0>cpu1", "cpu1>plx2", "plx2>gpu5"});
  CHECK(around.route_class == 2);
  CHECK(machine.route("gpu0", "plx0").hops == 1);

  for (NodeId gpu = 0; gpu < 8; ++gpu) parts.nodes[gpu].forwards = true;
  Routed relayed(parts);
  // Of the ways by gpu1 and gpu4 both are as wide as their single cables: equal, so both are used.
  CHECK(relayed.links(relayed.route("gpu0", "gpu5", 0)) == Names{"gpu0>gpu4", "gpu4>gpu5"});
  CHECK(relayed.links(relayed.route("gpu0", "gpu5", 1)) == Names{"gpu0>gpu1", "gpu1>gpu5"});
}

TEST_CASE("an inner node's transit is used in path order and limits the width, an end's is not") {
  Topology::Parts parts = parallel_ways(2, pcie());
  for (const NodeId node : {NodeId{0}, NodeId{1}, s(0)})
    parts.nodes[node].transit_bandwidth = Bandwidth{10};
  parts.nodes[s(1)].transit_bandwidth = Bandwidth{12};
  Routed machine(parts);
  for (const std::uint32_t channel : {0U, 1U}) {
    const Route& route = machine.route("gpu0", "gpu1", channel);
    REQUIRE(route.uses.size() == 3);
    CHECK(machine.resources.all()[route.uses[1].resource].name == "s1:transit");
    CHECK(route.bottleneck == 12);
  }
  CHECK(machine.route("gpu0", "s0").uses.size() == 1);
}

TEST_CASE("both directions of a half-duplex cable use one resource") {
  Topology::Parts parts = testing::star(2);
  parts.links[0].half_duplex = parts.links[1].half_duplex = true;
  Routed machine(parts);
  CHECK(machine.coefficient(machine.route("gpu0", "gpu1"), "gpu0-switch0") == 1);
  CHECK(machine.coefficient(machine.route("gpu1", "gpu0"), "gpu0-switch0") == 1);
  CHECK(machine.coefficient(machine.route("gpu1", "gpu0"), "gpu1>switch0") == 1);
}

TEST_CASE("a pair without a path is refused by name") {
  Topology::Parts parts;
  testing::add_gpus(parts, 3);
  add_cable(parts, 0, 1, pcie());
  add_cable(parts, 1, 2, pcie());
  Routed machine(parts);
  CHECK(machine.router.reachable(0, 1));
  CHECK(machine.router.reachable(2, 2));
  CHECK_FALSE(machine.router.reachable(0, 2));
  CHECK(testing::refusal_of([&] { machine.route("gpu0", "gpu2"); }) ==
        "no route from gpu0 to gpu2; "
        "join them by links through nodes that forward (a gpu forwards only when it says so)");
}

TEST_CASE("all pairs of a star have the route in and out, and keep it") {
  constexpr NodeId kGpus = 256;
  Routed machine(testing::star(kGpus));
  const Route* first = &machine.router.route(0, 1);
  for (NodeId from = 0; from < kGpus; ++from)
    for (NodeId to = 0; to < kGpus; ++to) {
      if (from == to) continue;
      const std::vector<LinkId> expected = {2 * from, 2 * to + 1};
      REQUIRE(machine.router.route(from, to).links == expected);
    }
  CHECK(first == &machine.router.route(0, 1));
}

}  // namespace syncsim::routing_test
