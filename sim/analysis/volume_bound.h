#pragma once
// All-to-all and send-recv: for any lengths l of the arcs,
//   sum over pairs of bytes x distance <= T x sum over arcs of capacity x length
// since every byte takes up at least the distance of its pair. It is the dual of the multicommodity
// flow: the best lengths give exactly what fluid routing needs (Shahrokhi and Matula, J. ACM 37(2),
// 1990). Lengths begin as 1 / capacity and grow where the shortest ways pile up; every round gives
// a bound, of which the largest counts.

#include "sim/analysis/cut_graph.h"

namespace syncsim {

LowerBound volume_bound(const BoundQuery& query, const CutGraph& graph);

}  // namespace syncsim
