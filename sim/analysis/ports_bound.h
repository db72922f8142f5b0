#pragma once
// What has to pass a rank's own links, in or out, over their summed capacity (demand.h). With S
// bytes, n >= 2 ranks, p_r the size of rank r's part, out_r and in_r the rank's capacities:
//   allreduce       max( 2(n-1) S / sum out_r, the same with in, S / out_r, S / in_r )
//   reduce          max( S / out_r for r other than the root, S / in_root )
//   broadcast       max( S / in_r for r other than the root, S / out_root )
//   reduce_scatter  max( (S - p_r) / out_r, p_r / in_r )
//   all_gather      max( p_r / out_r, (S - p_r) / in_r )
//   all_to_all      max( (S - p_r) / out_r, (n - 1) p_r / in_r )
// and so on.
// The first term is the partition bound of Patarasuk and Yuan (J. Parallel Distrib. Comput. 69(2),
// 2009) for single ranks: for every element n-1 messages must leave ranks before one knows the sum,
// and n-1 after that. It holds where nothing but ranks adds up. Where bandwidths change while a run
// goes on, the bound is the first time by which the ports could have carried the bytes at the
// bandwidths of each moment. What is a late rank's passes its ports after it has come.

#include "sim/analysis/bounds.h"

namespace syncsim {

LowerBound ports_bound(const BoundQuery& query);

}  // namespace syncsim
