#include "sim/topology/nearby.h"

#include <doctest/doctest.h>

#include <random>
#include <tuple>

#include "tests/support/routed.h"
#include "tests/topology/servers.h"

namespace syncsim::nearby_test {
namespace {

using testing::add_cable;
using testing::add_node;
using testing::cable;
using testing::Routed;

std::vector<std::optional<NodeId>> cpus_of(const Topology& machine) {
  return nearest_cpus(machine, LinksOut(machine));
}

// Small machines of all kinds of nodes and links; some cpus and switches do not forward.
Topology random_machine(std::mt19937& random) {
  const auto below = [&](std::uint32_t bound) { return random() % bound; };
  constexpr LinkKind kKinds[] = {LinkKind::nvlink, LinkKind::pcie, LinkKind::socket,
                                 LinkKind::network};
  Topology::Parts parts;
  testing::add_gpus(parts, 4);
  for (int i = 0; i < 6; ++i)
    add_node(parts, "n" + std::to_string(i), i < 3 ? NodeKind::cpu : NodeKind::switch_);
  for (Node& node : parts.nodes) node.forwards = node.kind != NodeKind::gpu && below(4) > 0;
  for (NodeId a = 0; a < parts.nodes.size(); ++a)
    for (NodeId b = a + 1; b < parts.nodes.size(); ++b)
      if (below(10) < 3) add_cable(parts, a, b, cable(kKinds[below(4)], 16));
  return Topology(parts);
}

}  // namespace

TEST_CASE("the nearest cpu has the best class, then the fewest hops, then the first place") {
  Topology::Parts parts;
  testing::add_gpus(parts, 4);
  const NodeId cpu0 = add_node(parts, "cpu0", NodeKind::cpu);
  const NodeId cpu1 = add_node(parts, "cpu1", NodeKind::cpu);
  const NodeId cpu2 = add_node(parts, "cpu2", NodeKind::cpu);
  const NodeId plx = add_node(parts, "plx0", NodeKind::switch_);
  add_cable(parts, 0, cpu0, cable(LinkKind::pcie, 16));
  add_cable(parts, 0, cpu1, cable(LinkKind::c2c, 16));  // better
  add_cable(parts, 1, plx, cable(LinkKind::pcie, 16));
  add_cable(parts, plx, cpu0, cable(LinkKind::pcie, 16));
  add_cable(parts, 1, cpu2, cable(LinkKind::pcie, 16));  // nearer
  add_cable(parts, 2, cpu2, cable(LinkKind::pcie, 16));
  add_cable(parts, 2, cpu1, cable(LinkKind::pcie, 16));  // as near, before it
  add_cable(parts, 3, cpu2, cable(LinkKind::network, 16));
  const auto cpus = cpus_of(Topology(parts));
  CHECK(cpus[0] == cpu1);
  CHECK(cpus[1] == cpu2);
  CHECK(cpus[2] == cpu1);
  CHECK(!cpus[3]);  // by the network only
  CHECK(cpus[plx] == cpu0);
  CHECK(cpus[cpu2] == cpu2);
}

TEST_CASE("the nearest cpu is the one with the best of all routes") {
  std::mt19937 random(11);
  for (int machine = 0; machine < 200; ++machine) {
    Routed routed(random_machine(random).parts());
    const auto cpus = cpus_of(routed.topology);
    for (NodeId gpu = 0; gpu < 4; ++gpu) {
      std::optional<std::tuple<int, int, NodeId>> best;
      for (NodeId cpu = 4; cpu < 7; ++cpu) {
        if (!routed.router.reachable(gpu, cpu)) continue;
        const Route& route = routed.router.route(gpu, cpu);
        if (route.route_class == route_class(LinkKind::network)) continue;
        const std::tuple quality(route.route_class, route.hops, cpu);
        if (!best || quality < *best) best = quality;
      }
      REQUIRE(cpus[gpu].has_value() == best.has_value());
      if (best) REQUIRE(*cpus[gpu] == std::get<NodeId>(*best));
    }
  }
}

TEST_CASE("a gpu has NVLink to those that it reaches by it, over switches but not over gpus") {
  Topology::Parts parts;
  testing::add_gpus(parts, 5);
  const NodeId nvs = add_node(parts, "nvs0", NodeKind::switch_);
  for (const NodeId gpu : {0U, 1U, 2U}) add_cable(parts, gpu, nvs, cable(LinkKind::nvlink, 50));
  add_cable(parts, 2, 3, cable(LinkKind::xgmi, 50));
  add_cable(parts, 0, 4, cable(LinkKind::pcie, 16));
  const Topology machine(parts);
  const LinksOut links(machine);
  NvlinkNeighbours neighbours(machine, links);
  using Gpus = std::vector<NodeId>;
  CHECK(neighbours.of(0) == Gpus{1, 2});
  CHECK(neighbours.of(2) == Gpus{0, 1, 3});
  CHECK(neighbours.of(4) == Gpus{});
  CHECK(neighbours.common(0, 3) == Gpus{2});
  CHECK(neighbours.common(0, 1) == Gpus{2});
  CHECK(neighbours.common(3, 4) == Gpus{});
}

}  // namespace syncsim::nearby_test
