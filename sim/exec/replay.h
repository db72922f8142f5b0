#pragma once
// Plain traffic through the engine: when each flow finishes, and what the machine carried.

#include <vector>

#include "sim/exec/executor.h"
#include "sim/exec/traffic.h"
#include "sim/schedule/timeline.h"

namespace syncsim {

struct Replay {
  static constexpr Time kUnfinished{-1};

  std::vector<Time> finishes;  // of each flow; kUnfinished only where it was stopped
  // What each would take, were it the only one and all bandwidths those of the start.
  std::vector<Time> alone;
  std::vector<ResourceTotals> resources;  // in the machine's order
  std::uint64_t finished = 0;             // flows
  bool stopped = false;                   // by the watch
  Time reached;                           // the last finish, or where it was stopped

  bool has(std::size_t flow) const { return finishes[flow] != kUnfinished; }
};

// Of the options it takes rates, overhead, seed, audit, changes, watch and memory. Capacities that
// change are averaged from the first flow's start to the last one's finish. Throws InputError for a
// flow without a route, and when links that are left at 0 stall flows for ever.
Replay replay(const Traffic& traffic, const Topology& topology, const ExecutionOptions& options);

}  // namespace syncsim
