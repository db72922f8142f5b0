#pragma once
// All-to-all and send-recv: every rank has bytes for another, so that what leaves a set S of nodes
// depends on which ranks are outside:
//   T >= bytes from S to the ranks outside / B+(S)
// The worst S is hard to find (sparsest cut); tried are single ranks, the machine's groups
// (node_groups.h), the first ranks, least cuts between ranks, and what comes of moving ranks one by
// one from the worst of these.

#include "sim/analysis/cut_graph.h"

namespace syncsim {

LowerBound pair_cut_bound(const BoundQuery& query, const CutGraph& graph);

}  // namespace syncsim
