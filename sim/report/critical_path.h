#pragma once
// The chain of ops that fixed the finish: from the last op to finish back to one that nothing held
// up. An op is held up by its latest dependency, or by the op before it on its lane when that ended
// later than the dependency's data could arrive (ready + latency).

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
