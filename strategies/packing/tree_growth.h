#pragma once
// A tree laid along the cheapest ways: of the ranks outside the one that is the nearest to what is
// joined comes next, over relays where that is cheaper (Takahashi and Matsuyama, Math. Japonica 24,
// 1980); without relays that is Prim's way.

#include "strategies/packing/rooted_tree.h"

namespace syncsim::strategy {

// From tree.root, a rank. Loads the resources, hop by hop.
void grow(RootedTree& tree, int turn, const RankGraph& graph, Prices& prices);

}  // namespace syncsim::strategy
