#pragma once
// What a collective has to move across a cut, over the cut's capacity:
//   allreduce       M                   leaving any S that separates ranks
//   broadcast       M                   leaving S with the root and not all ranks
//   reduce          M                   entering such an S
//   all_gather      the parts in S      leaving an S with not all ranks
//   reduce_scatter  the parts in S      entering such an S
//   gather          the parts in S      leaving an S without the root
//   scatter         the parts in S      entering an S without the root
// All-to-all and send-recv: see pair_cut_bound.h. True for every algorithm, also with reduction in
// the network.

#include "sim/analysis/cut_oracle.h"

namespace syncsim {

// How the bound of a collective is asked of spread_bound.h.
struct CutDemand {
  Flow flow = Flow::leaving;
  std::vector<std::int64_t> weights;  // by rank
  std::vector<std::size_t> sinks;
};
std::vector<CutDemand> cut_demands(const Collective& collective);

LowerBound cut_bound(const BoundQuery& query, const CutGraph& graph);

}  // namespace syncsim
