#pragma once
// Rings in NCCL's graph files (NCCL_GRAPH_DUMP_FILE, NCCL_GRAPH_FILE; src/graph/search.cc):
//   <graphs version="1"><graph id="0" pattern="4" crossnic="0" nchannels="1" ...>
//     <channel><net dev="0"/><gpu dev="0"/><gpu dev="1"/><net dev="1"/></channel>
// Pattern 4 is the ring; trees and others are passed over. A channel holds the GPUs of one node in
// the order of the ring, between the NICs by which it comes and goes when there are several nodes:
// the first <net> and the last, wherever they stand. Their dev is the NIC's number in its node. On
// one node alone they are not used; where it has NICs at all, they must be among them.
//
// Which rank a GPU is: its `rank` where all GPUs have one (newer versions), otherwise its place
// among the node's `dev` numbers, the lowest being rank 0, as NCCL ranks them unless the launcher
// or CUDA_VISIBLE_DEVICES says otherwise. `dev` is hexadecimal after 0x.
// On several nodes of k GPUs, which the run's ranks must fill, node i holds ranks i k to i k + k-1
// and passes on in the same order, or, on odd nodes of graphs with crossnic 2 and an even number
// of channels, in that of the neighbour channel (c xor 1), as NCCL connects them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/topology/import/nccl_rings.h"

namespace syncsim {

inline constexpr std::int64_t kMostGraphBytes = 8'000'000;

// A ring a channel. Throws InputError at "FILE:LINE:COLUMN".
std::vector<Ring> graph_rings(std::string_view text, const std::string& file,
                              const RingRanks& ranks);

}  // namespace syncsim
