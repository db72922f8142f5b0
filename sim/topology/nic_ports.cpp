#include "sim/topology/nic_ports.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "sim/topology/direct_routes.h"
#include "sim/topology/fabric.h"

namespace syncsim {
namespace {

using Nodes = std::vector<NodeId>;

class NearNics {
 public:
  explicit NearNics(const Topology& topology)
      : resources_(topology, Rates::line),
        routes_(topology, resources_, 0),
        given_(topology.routing().nics.begin(), topology.routing().nics.end()) {}

  Nodes of(NodeId rank, const Nodes& nics) {
    if (const auto given = given_.find(rank); given != given_.end()) return {given->second};
    Nodes nearest;
    std::pair<int, int> least{route_class(LinkKind::network), 0};
    for (const NodeId nic : nics) {
      const std::optional<Route> route = routes_.find(rank, nic);
      if (!route) continue;
      const std::pair distance{route->route_class, route->hops};
      if (distance < least) nearest.clear();
      if (distance <= least && distance.first < route_class(LinkKind::network))
        nearest.push_back(nic);
      least = std::min(least, distance);
    }
    return nearest;
  }

 private:
  Resources resources_;
  DirectRoutes routes_;
  std::map<NodeId, NodeId> given_;
};

// By machine, its nics that have a link to the network, and its gpus.
struct PortMachine {
  Nodes nics;
  Nodes gpus;
};
std::map<NodeId, PortMachine> machines(const Topology& topology,
                                       const std::vector<NodeId>& machine) {
  std::vector<bool> on_network(topology.nodes().size());
  for (const Link& link : topology.links())
    if (link.kind == LinkKind::network) on_network[link.from] = true;
  std::map<NodeId, PortMachine> result;
  for (NodeId node = 0; node < machine.size(); ++node) {
    const NodeKind kind = topology.nodes()[node].kind;
    if (kind == NodeKind::gpu) result[machine[node]].gpus.push_back(node);
    if (kind == NodeKind::nic && on_network[node]) result[machine[node]].nics.push_back(node);
  }
  return result;
}

// Whether the i-th of `sharers` has the nic of that number, of `nics`, of its own.
bool owns(std::size_t i, std::size_t sharers, std::size_t number, std::size_t nics) {
  return nics >= sharers ? number % sharers == i : i % nics == number;
}

std::vector<NicPort> ports_of(const Nodes& ranks, const PortMachine& machine, NearNics& near) {
  std::map<Nodes, Nodes> sharers;  // by near nics, the gpus
  for (const NodeId gpu : machine.gpus) sharers[near.of(gpu, machine.nics)].push_back(gpu);
  struct Near {
    Nodes ranks;
    std::optional<std::ptrdiff_t> owner;  // the first of them
  };
  std::map<NodeId, Near> by_nic;
  for (const NodeId rank : ranks)
    for (const auto& [nics, gpus] : sharers) {
      const auto found = std::find(gpus.begin(), gpus.end(), rank);
      if (found == gpus.end()) continue;
      const auto i = static_cast<std::size_t>(found - gpus.begin());
      for (std::size_t number = 0; number < nics.size(); ++number) {
        Near& here = by_nic[nics[number]];
        if (!here.owner && owns(i, gpus.size(), number, nics.size()))
          here.owner = static_cast<std::ptrdiff_t>(here.ranks.size());
        here.ranks.push_back(rank);
      }
    }
  std::vector<NicPort> ports;
  for (auto& [nic, here] : by_nic) {
    if (!here.owner) continue;
    std::rotate(here.ranks.begin(), here.ranks.begin() + *here.owner, here.ranks.end());
    ports.push_back({nic, std::move(here.ranks)});
  }
  return ports;
}

}  // namespace

std::vector<std::vector<NicPort>> nic_ports(const Topology& topology,
                                            std::span<const std::vector<NodeId>> boxes) {
  const std::vector<NodeId> machine = machines_of(topology);
  const std::map<NodeId, PortMachine> all = machines(topology, machine);
  NearNics near(topology);
  std::vector<std::vector<NicPort>> result;
  for (const Nodes& ranks : boxes) {
    const auto found = all.find(machine[ranks.front()]);
    result.push_back(found == all.end() ? std::vector<NicPort>{}
                                        : ports_of(ranks, found->second, near));
  }
  return result;
}

}  // namespace syncsim
