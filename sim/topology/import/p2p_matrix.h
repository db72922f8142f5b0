#pragma once
// The output of CUDA's p2pBandwidthLatencyTest, fitted onto a machine (ImportOptions::onto), whose
// gpus in file order are the devices 0, 1, ... Rules:
// 1. Which figures of a pair count: p2p_pairs.h.
// 2. A link (each direction for itself) is at least as fast as all that was seen to cross it: its
//    usable rate becomes the largest of the pairs whose route takes it, times what a byte of theirs
//    costs there; where both flows of a pair take it, their bidirectional sum if that is more. A
//    cable that one pair takes alone so gets that pair's rate, and the port of a gpu on an NVSwitch
//    that of its best pair: slower pairs have their reason elsewhere. No rate exceeds the line.
//    Links that no pair takes keep their figures.
// 3. What a write to a peer takes (the GPU latencies, as they stand: the shelf's are of the same
//    kind) is the sum of the links of the route, so links get the latencies whose sums come nearest
//    (p2p_latency_fit.h). The pair that is farthest off is told where that is more than 5 %.
// 4. The policy's P2P level is moved, no farther than needed, so that the pairs with connectivity 1
//    are direct and those with 0 staged.
// 5. Pairs that then should get more than 5/4 of what was measured, or less than it, are told, the
//    first 20; of the bidirectional figures those that should get more than 5/4. What the host can
//    stage in all (transit_bandwidth) is not fitted: the test runs one pair at a time.

#include <string>
#include <string_view>

#include "sim/topology/import/importer.h"

namespace syncsim {

bool looks_like_p2p_matrix(std::string_view text);
Imported read_p2p_matrix(std::string_view text, const std::string& file,
                         const ImportOptions& options);

}  // namespace syncsim
