#pragma once
// Lower bounds: times that no schedule can beat on a machine. Today the ports bound: what has to
// pass a rank's own links, in or out, over their summed capacity. S bytes, n >= 2 ranks, p_r the
// size of rank r's part, out_r and in_r the rank's capacities:
//   allreduce       max( 2(n-1) S / sum out_r, the same with in, S / out_r, S / in_r )
//   reduce          max( S / out_r for r other than the root, S / in_root )
//   broadcast       max( S / in_r for r other than the root, S / out_root )
//   reduce_scatter  max( (S - p_r) / out_r, p_r / in_r )
//   all_gather      max( p_r / out_r, (S - p_r) / in_r )
// The first term is the partition bound of Patarasuk and Yuan (J. Parallel Distrib. Comput. 69(2),
// 2009) for single ranks: for every element n-1 messages must leave ranks before one knows the sum,
// and n-1 after that. It holds where switches do not add up. Latency and inner links only add to
// it. Where bandwidths change while a run goes on, the bound is the first time by which the ports
// could have carried the bytes at the bandwidths of each moment.

#include <span>
#include <string>

#include "sim/schedule/collective.h"
#include "sim/topology/link_events.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct LowerBound {
  double seconds = 0;
  std::string kind;   // "ports"
  std::string binds;  // "the ports out of all ranks", "the ports into rank 3 (gpu3)"
};

// `ranks` are the nodes of ranks 0..n-1; `changes` ascend by time. Infinite when the ports end at 0
// before the bytes are through.
LowerBound lower_bound(const Topology& topology, std::span<const NodeId> ranks,
                       const Collective& collective, Rates rates,
                       std::span<const LinkChange> changes = {});

}  // namespace syncsim
