#pragma once
// The partition and cut bounds of machines too large for the exact ones: parts are what the machine
// is built of. Every part is a set of nodes of its own, so that its capacity is the sum of the
// links that leave it, without a max-flow; it may be more than the least cut, which keeps the bound
// true.
//   boxes    nodes whose ids share what stands before the last '/', and the same for every '/'
//            before it
//   racks    boxes that share the first switch outside of them, with that switch if nothing else
//            but other switches touches it
//   halves   the first and the second half of each of these
//   ranks    each by itself; the first and the second half of them
// Helpers outside of all parts are parts by themselves.

#include "sim/analysis/bounds.h"

namespace syncsim {

// The largest of an allreduce, "partition (by structure)".
LowerBound partition_by_structure(const BoundQuery& query);
// The largest of any collective, "cut (by structure)".
LowerBound cut_by_structure(const BoundQuery& query);

}  // namespace syncsim
