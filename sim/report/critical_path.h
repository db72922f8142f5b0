#pragma once
// The chain of ops that fixed the finish: from the last op to finish back to one that nothing held
// up (held_up.h).

#include <vector>

#include "sim/schedule/schedule.h"
#include "sim/schedule/timeline.h"
#include "sim/topology/topology.h"

namespace syncsim {

// In order of time; empty when the timeline holds totals only. `rates` are those of the run:
// routes, and so latencies, can depend on them.
std::vector<OpId> critical_path(const Topology& topology, const Schedule& schedule,
                                const Timeline& timeline, Rates rates);

}  // namespace syncsim
