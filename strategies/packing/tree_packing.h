#pragma once
// Spanning trees on the ranks that together use a machine's links as evenly as can be, each with a
// share of what is sent that its rate is in proportion to. What they can reach:
//   allreduce                    M / strength: the fractional packing number of spanning trees
//   (both ways, any roots)       (Tutte; Nash-Williams, J. London Math. Soc. 36, 1961), which is
//                                the partition bound
//   broadcast, reduce            M / min cut between the root and a rank (Edmonds, Edge-disjoint
//   (one root)                   branchings, 1973)
//   all-gather, reduce-scatter   (M / n) max over sets of ranks of the ranks inside over the
//   (every rank is a root)       capacity out of them (ForestColl, arXiv 2402.06787)
// A hop is a route that the machine's router takes, so that switches need not be split off. Trees
// lead over other nodes (relays.h) where they carry more that way.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sim/topology/routing.h"
#include "strategies/packing/routed_trees.h"
#include "strategies/trees.h"

namespace syncsim::strategy {

struct PackedTree {
  Tree tree;                  // of ranks, and relays numbered behind them
  std::vector<Plane> planes;  // by rank and relay, of the hop to its parent
  double rate = 0;            // bytes per second, without latency and fill; 0: left out
};

struct TreePacking {
  std::vector<PackedTree> trees;  // of several roots: root by root, over and over
  int turns = 1;                  // trees so many channels apart take the same routes
  std::vector<NodeId> relays = {};

  double rate() const;  // of all together
  // Of tree i, whose other hops are on channel i: behind all those, and on the same routes.
  std::uint16_t host_channel(std::size_t i) const;
};

struct PackingWish {
  Flow flow = Flow::both;
  std::vector<int> roots = {};      // empty: any
  std::optional<int> trees = {};    // for each root; absent: as few as come near the most
  int most_trees = 96;              // where `trees` is absent
  double overhead = 0;              // seconds that a transfer takes beside its bytes
  double bytes = 0;                 // of all trees together; where there is an overhead
  std::function<void()> heed = {};  // called now and then in long searches; may throw
};

// At least one tree for each root.
TreePacking pack_trees(const Topology& topology, std::span<const NodeId> ranks,
                       const PackingWish& wish);

}  // namespace syncsim::strategy
