#pragma once
// Collectives in which ranks hold data that others lack. With w_r bytes at rank r, all of it needed
// by the ranks in `sinks`, whatever the algorithm:
//   T >= max over node sets S that leave a sink outside of  sum of w_r in S / B+(S)
// The worst S is found exactly, by Dinkelbach's method: for a quotient t = P / Q the least cut of
// P B+(S) + Q w(outside S), one max-flow a sink, is below Q w(all) if and only if some S is worse
// than t; it gives one. All-gather: w_r is rank r's part, every rank a sink; gather: the root is
// the only sink; broadcast: the root holds all. Reversed (entering) the same holds for
// reduce-scatter, scatter and reduce: what S must get, over what can enter it.

#include <cstdint>
#include <vector>

#include "sim/analysis/cut_oracle.h"

namespace syncsim {

struct WorstCut {
  TerminalSet inside;         // S
  std::int64_t weight = 0;    // P, in units of the weights
  std::int64_t capacity = 1;  // Q
};

// The worst set; one of weight 0 when there is nothing to move. Weights (by rank) add up to less
// than 2^60 / (sum of capacities).
WorstCut worst_cut(const CutGraph& graph, Flow flow, const std::vector<std::int64_t>& weights,
                   const std::vector<std::size_t>& sinks);

}  // namespace syncsim
