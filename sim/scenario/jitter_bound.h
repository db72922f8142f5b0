#pragma once
// A lower bound of steps whose compute changes from one to the next.

#include "sim/analysis/bounds.h"
#include "sim/scenario/point.h"
#include "sim/schedule/schedule.h"
#include "sim/workload/training_step.h"

namespace syncsim {

// No rank's forward begins before every rank's backward of the step before is over, so that the
// mean step takes as long as the slowest rank of each computes, on the average. Of updates and of
// the wire nothing is certain from step to step. 0 where a forward may begin before.
LowerBound jitter_bound(const Schedule& schedule, const StepPlan& plan, const Point& point,
                        const Model& model);

}  // namespace syncsim
