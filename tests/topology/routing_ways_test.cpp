#include "sim/topology/routing.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/routed.h"

namespace syncsim::routing_ways_test {
namespace {

using testing::add_cable;
using testing::Names;
using testing::parallel_ways;
using testing::pcie;
using testing::Routed;
using testing::s;
using testing::striped;
using testing::two_gpus;

}  // namespace

TEST_CASE("equal ways: (seed + channel + destination's place) mod k, ordered by link id") {
  for (const std::uint32_t seed : {0U, 5U}) {
    Routed machine(parallel_ways(3, pcie()), seed);
    for (std::uint32_t channel = 0; channel < 7; ++channel) {
      const std::string hub = "s" + std::to_string((seed + channel + 1) % 3);
      CHECK(machine.links(machine.route("gpu0", "gpu1", channel)) ==
            Names{"gpu0>" + hub, hub + ">gpu1"});
    }
  }
}

TEST_CASE("equal ways are chosen hop by hop, each by a further digit of c") {
  // gpu0 has two ways on; s0 has three, s1 has two of the same.
  Topology::Parts parts = two_gpus(5);
  add_cable(parts, 0, s(0), pcie());
  add_cable(parts, 0, s(1), pcie());
  for (const NodeId upper : {2U, 3U, 4U}) {
    add_cable(parts, s(0), s(upper), pcie());
    if (upper < 4) add_cable(parts, s(1), s(upper), pcie());
    add_cable(parts, s(upper), 1, pcie());
  }
  Routed machine(parts);
  for (std::uint32_t channel = 0; channel < 12; ++channel) {
    const std::uint32_t c = channel + 1;
    const std::string lower = c % 2 == 0 ? "s0" : "s1";
    const std::string upper = "s" + std::to_string(2 + c / 2 % (c % 2 == 0 ? 3 : 2));
    CHECK(machine.links(machine.route("gpu0", "gpu1", channel)) ==
          Names{"gpu0>" + lower, lower + ">" + upper, upper + ">gpu1"});
  }
}

TEST_CASE("a destination's place is its box's number plus its own among the box's gpus") {
  // Boxes a/ and b/ of two gpus each, under two hubs.
  Topology::Parts parts;
  for (const char* id : {"a/gpu0", "a/gpu1", "b/gpu0", "b/gpu1"})
    testing::add_node(parts, id, NodeKind::gpu);
  const NodeId hub = testing::add_node(parts, "s0", NodeKind::switch_);
  testing::add_node(parts, "s1", NodeKind::switch_);
  for (NodeId gpu = 0; gpu < 4; ++gpu)
    for (const NodeId to : {hub, hub + 1}) add_cable(parts, gpu, to, pcie());
  Routed machine(parts);
  const auto first = [&](const std::string& to) {
    return machine.links(machine.route("a/gpu0", to)).front();
  };
  CHECK(first("a/gpu1") == "a/gpu0>s1");  // 0 + 1
  CHECK(first("b/gpu0") == "a/gpu0>s1");  // 1 + 0
  CHECK(first("b/gpu1") == "a/gpu0>s0");  // 1 + 1
}

TEST_CASE("a pair without a choice has one route for all channels, one with k ways has k") {
  Routed single(testing::star(2));
  const Route* route = &single.route("gpu0", "gpu1", 0);
  CHECK(route == &single.route("gpu0", "gpu1", 1));
  CHECK(route == &single.route("gpu0", "gpu1", 4'000'000'000U));

  Routed choice(parallel_ways(3, pcie()));
  CHECK(&choice.route("gpu0", "gpu1", 0) == &choice.route("gpu0", "gpu1", 3));
  CHECK(&choice.route("gpu0", "gpu1", 0) != &choice.route("gpu0", "gpu1", 1));

  Routed spread(parallel_ways(3, striped(pcie())));
  CHECK(&spread.route("gpu0", "gpu1", 0) == &spread.route("gpu0", "gpu1", 1));
}

TEST_CASE("ways that are all stripe share a flow evenly - one that is not makes it a choice") {
  Topology::Parts parts = parallel_ways(2, striped(pcie()));
  Routed machine(parts);
  const Route& route = machine.route("gpu0", "gpu1");
  CHECK(machine.links(route) == Names{"gpu0>s0", "gpu0>s1", "s0>gpu1", "s1>gpu1"});
  for (const ResourceUse& use : route.uses) CHECK(use.coefficient == 0.5);
  CHECK(route.bottleneck == 32);
  CHECK(route.hops == 2);

  parts.links[4].spread = parts.links[5].spread = Spread::per_channel;
  Routed mixed(parts);
  CHECK(mixed.links(mixed.route("gpu0", "gpu1", 0)) == Names{"gpu0>s1", "s1>gpu1"});
  CHECK(mixed.links(mixed.route("gpu0", "gpu1", 1)) == Names{"gpu0>s0", "s0>gpu1"});
}

TEST_CASE("stripes share in proportion to what each way carries to the destination") {
  // HGX H100: 5, 4, 4 and 5 of a gpu's 18 NVLinks lead to its four NVSwitches: 450 GB/s.
  Topology::Parts parts = two_gpus(4);
  const std::vector<double> cables = {5, 4, 4, 5};
  for (std::uint32_t i = 0; i < 4; ++i)
    for (const NodeId gpu : {0U, 1U}) {
      Link link = striped(pcie());
      link.bandwidth = link.usable = testing::gigabytes(25 * cables[i]);
      add_cable(parts, gpu, s(i), link);
    }
  Routed machine(parts);
  const Route& route = machine.route("gpu0", "gpu1");
  CHECK(route.links.size() == 8);
  CHECK(machine.coefficient(route, "gpu0>s0") == 125.0 / 450);
  CHECK(machine.coefficient(route, "s1>gpu1") == 100.0 / 450);
  CHECK(route.bottleneck == doctest::Approx(450e9).epsilon(1e-15));

  // One plane is narrow only at the far end: it takes that much less.
  parts.links[2].bandwidth = parts.links[2].usable = testing::gigabytes(25);
  parts.links[3].bandwidth = parts.links[3].usable = testing::gigabytes(25);
  Routed narrow(parts);
  const Route& rest = narrow.route("gpu0", "gpu1");
  CHECK(narrow.coefficient(rest, "gpu0>s0") == 25.0 / 350);
  CHECK(rest.bottleneck == doctest::Approx(350e9).epsilon(1e-15));
}

TEST_CASE("a stripe counts as one way beside those that are none") {
  // Two planes of 16 and a bridge of 24: the stripe's 32 are wider. A bridge of 32 is as good.
  Topology::Parts parts = parallel_ways(3, pcie());
  for (const LinkId link : {4U, 5U, 6U, 7U, 8U, 9U, 10U, 11U})
    parts.links[link].spread = Spread::stripe;
  for (const LinkId link : {0U, 1U, 2U, 3U})
    parts.links[link].bandwidth = parts.links[link].usable = Bandwidth{24};
  Routed wide(parts);
  CHECK(wide.links(wide.route("gpu0", "gpu1")) ==
        Names{"gpu0>s1", "gpu0>s2", "s1>gpu1", "s2>gpu1"});
  for (const LinkId link : {0U, 1U, 2U, 3U})
    parts.links[link].bandwidth = parts.links[link].usable = Bandwidth{32};
  Routed equal(parts);
  CHECK(equal.links(equal.route("gpu0", "gpu1", 1)).size() == 4);
  CHECK(equal.links(equal.route("gpu0", "gpu1", 0)) == Names{"gpu0>s0", "s0>gpu1"});
}

TEST_CASE("a stripe is as slow as its slowest way, and loses none for it") {
  Topology::Parts parts = parallel_ways(2, striped(pcie()));
  parts.links[0].latency = Time{3};
  parts.links[4].latency = Time{5};
  Routed machine(parts);
  const Route& route = machine.route("gpu0", "gpu1");
  CHECK(route.links.size() == 4);
  CHECK(route.latency == Time{5});
}

TEST_CASE("shares multiply where stripes branch again and add where they meet") {
  // gpu0 - {s0, s1}; s0 - {s2, s3}, s1 - s3; {s2, s3} - s4 - gpu1, with a transit at s3 and s4.
  Topology::Parts parts = two_gpus(5);
  const Link link = striped(pcie());
  add_cable(parts, 0, s(0), link);
  add_cable(parts, 0, s(1), link);
  add_cable(parts, s(0), s(2), link);
  add_cable(parts, s(0), s(3), link);
  add_cable(parts, s(1), s(3), link);
  add_cable(parts, s(2), s(4), link);
  add_cable(parts, s(3), s(4), link);
  add_cable(parts, s(4), 1, link);
  parts.nodes[s(3)].transit_bandwidth = parts.nodes[s(4)].transit_bandwidth = Bandwidth{64};
  Routed machine(parts);
  const Route& route = machine.route("gpu0", "gpu1");
  CHECK(route.links.size() == 8);
  CHECK(machine.coefficient(route, "gpu0>s1") == 0.5);
  CHECK(machine.coefficient(route, "s0>s2") == 0.25);
  CHECK(machine.coefficient(route, "s1>s3") == 0.5);
  CHECK(machine.coefficient(route, "s3>s4") == 0.75);
  CHECK(machine.coefficient(route, "s3:transit") == 0.75);
  CHECK(machine.coefficient(route, "s4:transit") == 1);
  CHECK(machine.coefficient(route, "s4>gpu1") == 1);
  CHECK(route.bottleneck == 16);
}

TEST_CASE("on a DGX-2 any two gpus use all six planes: 150 GB/s") {
  Routed machine(testing::dgx2());
  const Route& board = machine.route("gpu0", "gpu7");
  CHECK(board.links.size() == 12);
  CHECK(board.hops == 2);
  CHECK(board.bottleneck == doctest::Approx(150e9).epsilon(1e-15));
  const Route& across = machine.route("gpu0", "gpu15");
  CHECK(across.links.size() == 18);
  CHECK(across.hops == 3);
  CHECK(across.bottleneck == doctest::Approx(150e9).epsilon(1e-15));
  CHECK(machine.coefficient(across, "nvs2>nvs8") == doctest::Approx(1.0 / 6).epsilon(1e-15));
}

}  // namespace syncsim::routing_ways_test
