#pragma once
// Which figures of p2pBandwidthLatencyTest count for a pair of gpus: those with P2P enabled, or
// disabled where the connectivity matrix says 0; unidirectional rates, of writes before reads, or
// half of the bidirectional ones. Without P2P the test falls back to staging in the sections that
// enable it, too.

#include <cstddef>

#include "sim/topology/import/p2p_matrix_text.h"

namespace syncsim {

struct P2pPair {
  std::size_t from = 0;
  std::size_t to = 0;
};

// A figure of a table, or a part of it; no table where there is none.
struct P2pFigure {
  const P2pTable* table = nullptr;
  double part = 1;
};

P2pFigure one_way_figure(const P2pSections& sections, P2pPair pair);
// Null where there is none.
const P2pTable* both_ways_table(const P2pSections& sections, P2pPair pair);
const P2pTable* latency_table(const P2pSections& sections, P2pPair pair);

}  // namespace syncsim
