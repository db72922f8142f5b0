// What holds of every route, whatever the policy and the nics that are given.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

#include "sim/topology/path_level.h"
#include "tests/support/routed.h"
#include "tests/topology/servers.h"

namespace syncsim::routing_laws_test {
namespace {

using testing::add_cable;
using testing::cable;
using testing::Routed;

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(engine_()) % bound; }
  bool one_in(std::uint32_t count) { return below(count) == 0; }
  template <class Values>
  auto one_of(const Values& values) {
    return values[below(static_cast<std::uint32_t>(std::size(values)))];
  }

 private:
  std::mt19937 engine_;
};

// The two switches of each box below one cpu.
Topology::Parts two_rooted_boxes() {
  Topology::Parts parts = testing::two_nics_a_switch();
  const Topology plain(parts);
  for (const std::string box : {"a/", "b/"}) {
    const NodeId cpu = testing::add_node(parts, box + "cpu0", NodeKind::cpu);
    parts.nodes[cpu].transit_bandwidth = testing::gigabytes(20);
    for (const char* plx : {"plx0", "plx1"})
      add_cable(parts, plain.node(box + plx), cpu, cable(LinkKind::pcie, 32));
  }
  return parts;
}

// Two boxes with some NVLinks, some links striped, some bridges dear, under a policy.
Topology::Parts random_cluster(Random& random) {
  Topology::Parts parts = random.one_in(2) ? testing::two_servers() : two_rooted_boxes();
  const Topology plain(parts);
  const std::vector<NodeId> gpus = plain.nodes_of_kind(NodeKind::gpu);
  const std::vector<NodeId> nics = plain.nodes_of_kind(NodeKind::nic);
  for (std::size_t i = 0; i + 1 < gpus.size(); ++i)
    if (random.one_in(2) && plain.nodes()[gpus[i]].id[0] == plain.nodes()[gpus[i + 1]].id[0])
      add_cable(parts, gpus[i], gpus[i + 1], cable(LinkKind::nvlink, 25.0 + random.below(2) * 25));
  for (Link& link : parts.links)
    if (link.kind == LinkKind::network && random.one_in(2)) link.spread = Spread::stripe;
  for (Node& node : parts.nodes)
    if (node.kind == NodeKind::cpu) node.peer_cost = random.one_in(2) ? 1.2 : 1;
  RoutingPolicy& policy = parts.routing;
  policy.p2p = static_cast<PeerLevel>(random.below(6));
  policy.acs = random.one_in(2);
  policy.gdr = random.one_in(2);
  policy.nvb = random.one_in(2);
  policy.pxn = random.one_in(2);
  for (const NodeId gpu : gpus) {
    const NodeId nic = random.one_of(nics);
    if (random.one_in(4) && plain.nodes()[gpu].id[0] == plain.nodes()[nic].id[0])
      policy.nics.emplace_back(gpu, nic);
  }
  return parts;
}

NicPair random_nics(Random& random, const Topology& machine, NodeId from, NodeId to) {
  const std::vector<NodeId> nics = machine.nodes_of_kind(NodeKind::nic);
  const auto nic_of = [&](NodeId node) -> std::optional<NodeId> {
    const NodeId nic = random.one_of(nics);
    const bool is_own = machine.nodes()[node].id[0] == machine.nodes()[nic].id[0];
    return is_own && random.one_in(2) ? std::optional(nic) : std::nullopt;
  };
  return {nic_of(from), nic_of(to)};
}

// Every link goes on from where one that is a hop shorter has come, from the source to the
// destination; only at the end may a way end.
bool is_connected(const Topology& machine, const Route& route, NodeId from, NodeId to) {
  const std::vector<std::size_t> before = hops_before(machine, route.links);
  std::map<std::size_t, std::set<NodeId>> came{{0, {from}}};
  std::map<std::size_t, std::set<NodeId>> left;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Link& link = machine.links()[route.links[i]];
    if (!came[before[i]].contains(link.from)) return false;
    left[before[i]].insert(link.from);
    came[before[i] + 1].insert(link.to);
  }
  const auto hops = static_cast<std::size_t>(route.hops);
  for (std::size_t hop = 0; hop < hops; ++hop)
    if (came[hop] != left[hop]) return false;
  return came[hops] == std::set{to} && left.size() == hops;
}

// Gpus inside of the route.
std::size_t relays_on(const Topology& machine, const Route& route, NodeId to) {
  std::set<NodeId> relays;
  for (const LinkId link : route.links)
    if (machine.nodes()[machine.links()[link].to].kind == NodeKind::gpu)
      relays.insert(machine.links()[link].to);
  relays.erase(to);
  return relays.size();
}

void check_laws(Routed& machine, NodeId from, NodeId to, std::uint32_t channel,
                const NicPair& nics) {
  const Topology& topology = machine.topology;
  const RoutingPolicy& policy = topology.routing();
  const Route& route = machine.router.route(from, to, channel, nics);
  REQUIRE(is_connected(topology, route, from, to));
  REQUIRE(relays_on(topology, route, to) <= (policy.nvb || policy.pxn ? 1 : 0));
  double least = route.bottleneck;
  for (const ResourceUse& use : route.uses) {
    const double rate = machine.resources.all()[use.resource].capacity / use.coefficient;
    REQUIRE(rate >= route.bottleneck);
    least = std::min(least, rate);
  }
  REQUIRE(least == route.bottleneck);
  const bool crosses = topology.nodes()[from].id[0] != topology.nodes()[to].id[0];
  REQUIRE(crosses == (route.route_class == route_class(LinkKind::network)));
  for (const auto& nic : {nics.out, nics.in})
    if (nic && crosses)
      REQUIRE(std::any_of(route.links.begin(), route.links.end(),
                          [&](LinkId link) { return topology.links()[link].from == *nic; }));
  const Route again = machine.router.find(from, to, channel, nics);
  REQUIRE(again.links == route.links);
  REQUIRE(again.uses == route.uses);
}

}  // namespace

TEST_CASE("routes hang together, pass gpus only as relays, and pass the nics that are given") {
  Random random(5);
  int checked = 0;
  for (int round = 0; round < 150; ++round) {
    const Topology::Parts parts = random_cluster(random);
    Routed machine(parts, random.below(3));
    const std::vector<NodeId> gpus = machine.topology.nodes_of_kind(NodeKind::gpu);
    for (const NodeId from : gpus)
      for (const NodeId to : gpus) {
        if (from == to) continue;
        CAPTURE(round);
        CAPTURE(from);
        CAPTURE(to);
        const NicPair nics =
            random.one_in(2) ? random_nics(random, machine.topology, from, to) : NicPair{};
        check_laws(machine, from, to, random.below(4), nics);
        ++checked;
      }
  }
  CHECK(checked > 1000);
}

}  // namespace syncsim::routing_laws_test
