#pragma once
// Trees over a machine's routes, as many as are asked for, so that the fullest resource is as empty
// as can be: rate = 1 / max over resources of (bytes of a byte in every tree / capacity). A
// resource's price grows exponentially with its load (Garg and Koenemann, SIAM J. Comput. 37(2),
// 2007), steeper from round to round; by turns every tree is laid anew along the cheapest ways, and
// every rank of it is hung below the rank to which its hop is the cheapest. At last ranks
// move nearer to the root where that makes nothing fuller; or, while trees are not near the bound,
// those that use fuller resources give data to others (tree_weights.h). Far from the root all
// hops are dearer, so that trees stay low. What the prices of a round tell bounds the rate from
// above: no tree is cheaper than the cheapest hop into each of its ranks.

#include <functional>
#include <vector>

#include "strategies/packing/prices.h"

namespace syncsim::strategy {

struct Hop {
  Edge edge;  // a: the parent
  Plane plane = Plane::all;
};

struct LaidTree {
  int root = 0;
  std::vector<Hop> hops;
  int height = 0;
  double rate = 0;  // bytes per second
};

struct LaidTrees {
  std::vector<LaidTree> trees;  // tree i on channel i, or one as many turns away
  double most_rate = 0;         // no trees of the same roots carry more together

  double rate() const;  // of all together
  int height() const;   // of the highest
};

// A tree for each root; trees of the same root share its data in proportion to their rates. Those
// that carry both may take other roots, and share all data. `heed` is called for every tree in
// every round, and may throw.
enum class Effort { quick, thorough };  // for what the trees carry at last; they are the same
LaidTrees routed_trees(const RankGraph& graph, Flow flow, const std::vector<int>& roots,
                       Effort effort, const std::function<void()>& heed = {});

}  // namespace syncsim::strategy
