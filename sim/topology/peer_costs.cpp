#include "sim/topology/peer_costs.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "sim/topology/best_paths.h"

namespace syncsim {
namespace {

// By node, the dearest bridge on the PCIe links by which packets have come there; none for nodes
// to which no PCIe link has led.
using Arrived = std::unordered_map<NodeId, double>;

double share_of(const Route& leg, ResourceId resource) {
  const auto use = std::find_if(leg.uses.begin(), leg.uses.end(),
                                [&](const ResourceUse& each) { return each.resource == resource; });
  return use->coefficient;
}

class PeerCosts {
 public:
  PeerCosts(const Topology& topology, std::span<const Waypoint> waypoints,
            std::span<const Route> legs)
      : topology_(topology), waypoints_(waypoints) {
    for (const Route& leg : legs) costs_.emplace_back(leg.links.size(), 1.0);
    Arrived arrived;
    for (std::size_t leg = 0; leg < legs.size(); ++leg) {
      for (std::size_t i = 0; i < legs[leg].links.size(); ++i) {
        const Link& link = topology.links()[legs[leg].links[i]];
        pass(link, link.from, link.to, arrived, costs_[leg][i]);
      }
      if (leg < waypoints.size()) arrived = beyond(waypoints[leg], arrived);
    }
    arrived.clear();
    for (std::size_t leg = legs.size(); leg-- > 0;) {
      for (std::size_t i = legs[leg].links.size(); i-- > 0;) {
        const Link& link = topology.links()[legs[leg].links[i]];
        pass(link, link.to, link.from, arrived, costs_[leg][i]);
      }
      if (leg > 0) arrived = beyond(waypoints[leg - 1], arrived);
    }
  }

  double of(std::size_t leg, std::size_t link) const { return costs_[leg][link]; }

 private:
  // Over a link from its near to its far node, along the route or against it.
  void pass(const Link& link, NodeId near, NodeId far, Arrived& arrived, double& cost) const {
    if (link.kind != LinkKind::pcie) return;
    const auto before = arrived.find(near);
    const double so_far =
        before == arrived.end() ? 1 : std::max(before->second, topology_.nodes()[near].peer_cost);
    cost = std::max(cost, so_far);
    double& there = arrived[far];
    there = std::max(there, so_far);
  }
  // What is still known in the next leg. From a host's memory new packets are sent.
  static Arrived beyond(const Waypoint& waypoint, const Arrived& arrived) {
    const auto at = arrived.find(waypoint.node);
    if (at == arrived.end() || waypoint.passage == Passage::staged) return {};
    return {*at};
  }

  const Topology& topology_;
  std::span<const Waypoint> waypoints_;
  std::vector<std::vector<double>> costs_;  // by leg and link
};

}  // namespace

void charge_peer_costs(const Topology& topology, const Resources& resources,
                       std::span<const Waypoint> waypoints, std::span<Route> legs) {
  const PeerCosts costs(topology, waypoints, legs);
  for (std::size_t leg = 0; leg < legs.size(); ++leg) {
    std::vector<ResourceUse> more;
    for (std::size_t i = 0; i < legs[leg].links.size(); ++i) {
      const ResourceId resource = resources.of_link(legs[leg].links[i]);
      if (costs.of(leg, i) > 1)
        more.push_back({resource, share_of(legs[leg], resource) * (costs.of(leg, i) - 1)});
    }
    for (const ResourceUse& use : more) add_use(legs[leg].uses, use.resource, use.coefficient);
  }
}

}  // namespace syncsim
