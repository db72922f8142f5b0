#pragma once
// What of one rank another needs must pass the links between them: no collective is done before the
// least sum of latencies from a rank to one that needs its data, plus the overhead of one transfer.
// Of a late rank the way begins when it comes; and what it needs passes the last link to it then.
// Beyond kMostRanksCut ranks only what leaves and reaches the first rank, the root, or the last to
// come counts.

#include "sim/analysis/bounds.h"

namespace syncsim {

LowerBound latency_bound(const BoundQuery& query);

}  // namespace syncsim
