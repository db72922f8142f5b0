#include "sim/topology/nearby.h"

#include <algorithm>
#include <iterator>

#include "sim/topology/routing.h"

namespace syncsim {

// From all cpus at once, class by class. The cpus are started in order, so that of equally near
// ones the first reaches a node first. Cables lead both ways.
std::vector<std::optional<NodeId>> nearest_cpus(const Topology& topology, const LinksOut& links) {
  std::vector<std::optional<NodeId>> result(topology.nodes().size());
  for (int most_class = 0; most_class < route_class(LinkKind::network); ++most_class) {
    std::vector<std::optional<NodeId>> reached(topology.nodes().size());
    std::vector<NodeId> found = topology.nodes_of_kind(NodeKind::cpu);
    for (const NodeId cpu : found) reached[cpu] = cpu;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const NodeId near = found[i];
      if (reached[near] != near && !topology.nodes()[near].forwards) continue;
      for (const LinkId id : links.of(near)) {
        const Link& link = topology.links()[id];
        if (route_class(link.kind) > most_class || reached[link.to]) continue;
        reached[link.to] = reached[near];
        found.push_back(link.to);
      }
    }
    for (const NodeId node : found)
      if (!result[node]) result[node] = reached[node];
  }
  return result;
}

NvlinkNeighbours::NvlinkNeighbours(const Topology& topology, const LinksOut& links)
    : topology_(topology), links_(links), seen_(topology.nodes().size()) {}

const std::vector<NodeId>& NvlinkNeighbours::of(NodeId gpu) {
  gpus_.clear();
  found_.assign(1, gpu);
  seen_[gpu] = true;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (i > 0 && topology_.nodes()[found_[i]].kind == NodeKind::gpu) gpus_.push_back(found_[i]);
    if (i > 0 && !topology_.nodes()[found_[i]].forwards) continue;
    for (const LinkId id : links_.of(found_[i])) {
      const Link& link = topology_.links()[id];
      if (route_class(link.kind) > 0 || seen_[link.to]) continue;
      seen_[link.to] = true;
      found_.push_back(link.to);
    }
  }
  for (const NodeId node : found_) seen_[node] = false;
  std::sort(gpus_.begin(), gpus_.end());
  return gpus_;
}

std::vector<NodeId> NvlinkNeighbours::common(NodeId one, NodeId other) {
  const std::vector<NodeId> mine = of(one);
  const std::vector<NodeId>& theirs = of(other);
  std::vector<NodeId> both;
  std::set_intersection(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                        std::back_inserter(both));
  return both;
}

}  // namespace syncsim
