#pragma once
// Plain traffic through the engine: when each flow finishes, and what the machine carried.

#include <vector>

#include "sim/exec/executor.h"
#include "sim/exec/traffic.h"
#include "sim/schedule/timeline.h"

namespace syncsim {

struct Replay {
  std::vector<Time> finishes;             // of each flow
  std::vector<Time> alone;                // what each would take, were it the only one
  std::vector<ResourceTotals> resources;  // in the machine's order
};

// Of the options it takes rates, overhead, seed and audit.
Replay replay(const Traffic& traffic, const Topology& topology, const ExecutionOptions& options);

}  // namespace syncsim
