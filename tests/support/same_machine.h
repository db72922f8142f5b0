#pragma once
// Whether two machines are the same in everything, and if not, where they differ first.

#include <string>

#include "sim/topology/topology.h"

namespace syncsim::testing {

inline bool same_node(const Node& a, const Node& b) {
  return a.id == b.id && a.kind == b.kind && a.forwards == b.forwards &&
         a.transit_bandwidth == b.transit_bandwidth && a.reduce_bandwidth == b.reduce_bandwidth &&
         a.peer_cost == b.peer_cost && a.abilities == b.abilities &&
         a.architecture == b.architecture;
}

inline bool same_link(const Link& a, const Link& b) {
  return a.from == b.from && a.to == b.to && a.name == b.name && a.kind == b.kind &&
         a.bandwidth == b.bandwidth && a.usable == b.usable && a.latency == b.latency &&
         a.overhead == b.overhead && a.count == b.count && a.spread == b.spread &&
         a.half_duplex == b.half_duplex && a.lanes == b.lanes && a.generation == b.generation;
}

// "" when there is none.
inline std::string difference(const Topology& a, const Topology& b) {
  if (a.name() != b.name()) return "name";
  if (a.description() != b.description()) return "description";
  if (a.source() != b.source()) return "source";
  if (a.ranks() != b.ranks()) return "ranks";
  if (a.routing() != b.routing()) return "routing";
  if (a.nodes().size() != b.nodes().size()) return "number of nodes";
  if (a.links().size() != b.links().size()) return "number of links";
  for (NodeId node = 0; node < a.nodes().size(); ++node)
    if (!same_node(a.nodes()[node], b.nodes()[node])) return "node " + a.nodes()[node].id;
  for (LinkId link = 0; link < a.links().size(); ++link)
    if (!same_link(a.links()[link], b.links()[link])) return "link " + a.links()[link].name;
  return "";
}

}  // namespace syncsim::testing
