#pragma once
// What of one rank another needs must pass the links between them: no collective is done before the
// least sum of latencies from a rank to one that needs its data, plus the overhead of one transfer.
// Beyond kMostRanksCut ranks only what leaves and reaches the first rank, or the root, counts.

#include "sim/analysis/bounds.h"

namespace syncsim {

LowerBound latency_bound(const BoundQuery& query);

}  // namespace syncsim
