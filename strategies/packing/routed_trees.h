#pragma once
// Trees over the machine's routes, where links are shared (switches, PCIe trees, networks). A fixed
// number of trees is laid one after the other along the cheapest ways, where a resource's price
// grows exponentially with its load (Garg and Koenemann, SIAM J. Comput. 37(2), 2007), and each is
// laid anew while that lowers the fullest resource's load.

#include "strategies/packing/direct_trees.h"

namespace syncsim::strategy {

EdgeTrees routed_trees(RankGraph& graph);

}  // namespace syncsim::strategy
