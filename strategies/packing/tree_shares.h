#pragma once
// The data, cut for packed trees: of what a root sends or gets, each of its trees has a share in
// proportion to its rate, and cuts it into chunks. Parameter `chunks`: that many; auto: 128 for
// each level that a chunk passes, fewer where chunks would have less than 4 KiB or all trees
// together more than 6 million transfers (but 4 a level), and up to 512 where that makes few
// transfers; no more than overheads are worth (overheads.h).

#include <cstdint>
#include <vector>

#include "strategies/packing/tree_packing.h"

namespace syncsim::strategy {

// Transfers that a chunk takes over a tree of so many nodes.
std::uint64_t hops(Flow flow, int nodes);

// Trees that are left out have no chunks.
std::vector<TreeShare> tree_shares(const StrategyInput& input, const TreePacking& packing,
                                   Flow flow, ScheduleBuilder& builder);

}  // namespace syncsim::strategy
