#pragma once
// One ring over routes, for ranks that no cycle of direct links joins.
//
// 1. On several boxes (boxes.h) box by box, in each in the same order, as NCCL joins nodes: where
//    box i holds the ranks i k to i k + k-1, on GPUs with the same numbers.
// 2. In a box, and on ranks in no such order: from the first rank always to the nearest one not
//    visited yet, by (class, hops, index) of the route.

#include <span>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

// Indices into the ranks, beginning with 0. One rank at least.
std::vector<int> order_over_routes(const Topology& topology, std::span<const NodeId> ranks);

}  // namespace syncsim
