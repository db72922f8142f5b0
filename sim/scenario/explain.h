#pragma once
// Runs a point and says why it takes as long as it does (explanation.h). Tried are, each by a run
// of its own: the last late rank on time, and all of them; twice the bandwidth of each of the five
// busiest links and nodes' capacities, the same of every kind of link that carried something, and
// half of all latencies and of the run's overhead where there are such. A choice (auto) keeps what
// it chose. What is laid for a changed machine runs on the machine as it is too: only what it then
// lacks is the change's gain. The new runs are not proved again.

#include "sim/scenario/run.h"

namespace syncsim {

// The report has its links' flows and its critical path. Of a run of more than `most_ops` ops no
// change is tried, which it says. Throws as run_point does.
Report run_explained(const Point& point, const RunSettings& settings,
                     std::uint64_t most_ops = kMostOps);

}  // namespace syncsim
