#pragma once
// One training step of a profiler's trace, taken apart. kineto_trace.h says what counts where.

#include <string>
#include <vector>

#include "sim/workload/import/trace_events.h"

namespace syncsim {

struct TracedLayer {
  std::string name;
  Time forward;
  Time backward;
  std::int64_t last = 0;                     // when its backward ends, in nanoseconds
  std::vector<const TraceEvent*> gradients;  // as they become ready; at least one
};

// In forward order. Throws InputError, without a place, for what the trace lacks.
std::vector<TracedLayer> layers_of_step(const std::vector<TraceEvent>& events);

}  // namespace syncsim
