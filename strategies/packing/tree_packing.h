#pragma once
// Spanning trees on the ranks that together use a machine's links as evenly as can be. Each carries
// an equal share of the data: up to its root, adding up, and down again, both at once. Where links
// are full duplex the rate of all of them is at most the fractional packing number of spanning
// trees (Tutte; Nash-Williams, J. London Math. Soc. 36, 1961), which is the partition bound.

#include <span>
#include <vector>

#include "sim/topology/routing.h"

namespace syncsim::strategy {

struct SpanningTree {
  int root = 0;
  std::vector<int> parent;    // by rank; -1 at the root
  std::vector<int> top_down;  // ranks, each after its parent
  int height = 0;
  double rate = 0;  // bytes per second of an allreduce, without latency and fill
  Plane plane = Plane::all;
};

struct TreePacking {
  std::vector<SpanningTree> trees;

  double rate() const;  // of all together
};

// At least one tree. `root` is every tree's, or -1: each has the root that makes it lowest. Where
// trees over NVLink leave the host's links idle, others use them (Plane::host).
TreePacking pack_trees(const Topology& topology, std::span<const NodeId> ranks, int root);

}  // namespace syncsim::strategy
