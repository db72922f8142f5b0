#include "sim/topology/path_level.h"

#include <algorithm>
#include <unordered_map>

#include "sim/topology/routing.h"

namespace syncsim {

// A node's hops are those at which it was reached last: legs come one behind the other, and within
// a leg each node is reached at one distance.
std::vector<std::size_t> hops_before(const Topology& topology, std::span<const LinkId> links) {
  std::unordered_map<NodeId, std::size_t> reached;
  std::vector<std::size_t> result;
  for (const LinkId id : links) {
    const Link& link = topology.links()[id];
    const std::size_t before = reached[link.from];  // 0 at the source
    result.push_back(before);
    reached[link.to] = before + 1;
  }
  return result;
}

PeerLevel path_level(const Topology& topology, std::span<const LinkId> links) {
  if (links.empty()) return PeerLevel::loc;
  const std::vector<std::size_t> hops = hops_before(topology, links);
  std::vector<bool> pcie(hops.back() + 1);  // by hop
  std::vector<bool> cpus(hops.back() + 1);
  bool nvlink = true;
  bool far = false;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = topology.links()[links[i]];
    nvlink = nvlink && route_class(link.kind) == 0;
    far = far || link.kind == LinkKind::socket || link.kind == LinkKind::network;
    if (link.kind == LinkKind::pcie) pcie[hops[i]] = true;
    if (topology.nodes()[link.to].kind == NodeKind::cpu) cpus[hops[i]] = true;
  }
  const auto count = [](const std::vector<bool>& of) {
    return std::count(of.begin(), of.end(), true);
  };
  if (nvlink) return PeerLevel::nvl;
  if (far || count(cpus) > 1) return PeerLevel::sys;
  if (count(cpus) == 1) return PeerLevel::phb;
  return count(pcie) > 2 ? PeerLevel::pxb : PeerLevel::pix;
}

}  // namespace syncsim
