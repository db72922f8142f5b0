#include "strategies/packing/relays.h"

#include <algorithm>
#include <numeric>

#include "sim/topology/resources.h"
#include "sim/topology/routing.h"

namespace syncsim::strategy {
namespace {

constexpr std::size_t kMostPacked = 128;  // ranks and relays

bool may_relay(const Node& node) {
  const bool has_memory = node.kind == NodeKind::gpu || node.kind == NodeKind::cpu;
  return has_memory && node.forwards && !node.transit_bandwidth && !node.reduce_bandwidth;
}

struct Ports {  // bytes per second, by rank
  std::vector<double> in;
  std::vector<double> out;
};

Ports ports_of(const Topology& topology, std::span<const NodeId> ranks) {
  Ports nodes{std::vector<double>(topology.nodes().size(), 0),
              std::vector<double>(topology.nodes().size(), 0)};
  for (const Link& link : topology.links()) {
    nodes.out[link.from] += link.bandwidth.bytes_per_second;
    nodes.in[link.to] += link.bandwidth.bytes_per_second;
  }
  Ports ports;
  for (const NodeId rank : ranks) {
    ports.in.push_back(nodes.in[rank]);
    ports.out.push_back(nodes.out[rank]);
  }
  return ports;
}

}  // namespace

std::vector<NodeId> relays_beside(const Topology& topology, std::span<const NodeId> ranks) {
  const Resources resources(topology, Rates::line);
  Router router(topology, resources);
  std::vector<NodeId> relays;
  for (NodeId node = 0; node < topology.nodes().size(); ++node) {
    const bool is_rank = std::find(ranks.begin(), ranks.end(), node) != ranks.end();
    if (is_rank || !may_relay(topology.nodes()[node])) continue;
    if (ranks.size() + relays.size() == kMostPacked) return {};
    if (router.reachable(ranks.front(), node) && router.reachable(node, ranks.front()))
      relays.push_back(node);
  }
  return relays;
}

double most_at_ports(const Topology& topology, std::span<const NodeId> ranks, Flow flow,
                     std::span<const int> roots) {
  auto [to, from] = ports_of(topology, ranks);  // away from the root
  const double others = static_cast<double>(ranks.size()) - 1;
  if (flow == Flow::both)
    return std::min(std::accumulate(to.begin(), to.end(), 0.0),
                    std::accumulate(from.begin(), from.end(), 0.0)) /
           (2 * others);
  if (flow == Flow::up) std::swap(to, from);
  if (roots.size() > 1)
    return *std::min_element(to.begin(), to.end()) * static_cast<double>(ranks.size()) / others;
  const auto root = static_cast<std::size_t>(roots.front());
  to[root] = from[root];
  return *std::min_element(to.begin(), to.end());
}

}  // namespace syncsim::strategy
