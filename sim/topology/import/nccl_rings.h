#pragma once
// The rings that NCCL or RCCL ran, from what they wrote:
//   their log      of NCCL_DEBUG=INFO, best with NCCL_DEBUG_SUBSYS=INIT,GRAPH (nccl_ring_log.h)
//   a graph file   of NCCL_GRAPH_DUMP_FILE, or for NCCL_GRAPH_FILE (nccl_ring_graph.h)
// Which of the two a text is shows in its first character: a graph file is XML.
//
// Ranks are those of the communicator with as many ranks as asked for. Rings begin at rank 0 and
// keep their direction; channels with the same ring are one ring with a multiplicity; rings come in
// the order of their first channels. NICs that a file names for the hops between nodes come with
// the rings, numbered within their node as NCCL does (from 0). Throws InputError at "FILE:LINE" (in
// XML "FILE:LINE:COLUMN"), or at "FILE" for what is missing. Bounded: files have at most
// kMostImportBytes, graph files at most kMostGraphBytes.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/topology/embedding.h"

namespace syncsim {

inline constexpr int kMostNcclChannels = 1000;  // NCCL has 64

// `nics`: of each rank, how many its box has; without them the file's nics are left out.
std::vector<Ring> read_nccl_rings(std::string_view text, const std::string& file, int ranks,
                                  std::vector<int> nics = {});

struct RingRanks {
  int count = 0;
  std::vector<int> nics;  // as above
};

// One ring a channel, each beginning anywhere: rings as above.
std::vector<Ring> merged_rings(std::vector<Ring> channels);

// The number of a nic that the file names at a rank, none where its box has no nics: an exporter
// then writes 0. Throws InputError without a place for one that is not there.
int nic_number(std::int64_t number, int rank, const RingRanks& ranks);

}  // namespace syncsim
