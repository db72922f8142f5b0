#pragma once
// This machine as a topology, by measurement, for the host executor to be compared with: every rank
// joins a switch called memory by a link that brings in as much as one thread copies, and gives out
// what all threads copy together, as they may all read from one rank; this is also the transit that
// flows through the memory share. A rank adds up as fast as one thread does. An op's fixed cost is
// the links' overhead. A CPU without a rank stands beside the ranks.
// Large transfers: what fits into caches is faster.

#include <cstdint>

#include "sim/base/units.h"
#include "sim/exec/real/real_executor.h"
#include "sim/topology/topology.h"

namespace syncsim {

// By short runs of the host executor, some tenths of a second in all, of copies that are larger
// than caches. Of `options` threads, watch and memory count. The name is left to the caller.
Topology::Parts measured_host(int ranks, const RealOptions& options,
                              Bytes copies = {std::int64_t{64} << 20});

}  // namespace syncsim
