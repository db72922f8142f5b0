#pragma once
// What is near a device inside of its machine, where no network is passed: its cpu, and the gpus
// that it has NVLink to (nvlink, xgmi or c2c). Inner nodes of paths forward, as in routing.h.

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/topology/fabric.h"
#include "sim/topology/topology.h"

namespace syncsim {

// Of every node the nearest cpu, by class (rule 1 of routing.h), then hops, then place in the
// machine; a cpu's is itself. Nothing where none is reached without the network. O(nodes + links).
std::vector<std::optional<NodeId>> nearest_cpus(const Topology& topology, const LinksOut& links);

// Searches around single gpus; each costs the links that it looks at.
class NvlinkNeighbours {
 public:
  // Keeps references.
  NvlinkNeighbours(const Topology& topology, const LinksOut& links);

  // The gpus that a gpu has NVLink to, by number; not itself.
  const std::vector<NodeId>& of(NodeId gpu);
  // Those that two gpus have in common.
  std::vector<NodeId> common(NodeId one, NodeId other);

 private:
  const Topology& topology_;
  const LinksOut& links_;
  std::vector<bool> seen_;     // by node; all false between searches
  std::vector<NodeId> found_;  // nodes, in the order of the search
  std::vector<NodeId> gpus_;
};

}  // namespace syncsim
