#pragma once
// What a training step is compared with: the same step under kinder or harsher terms.

#include "sim/base/units.h"
#include "sim/scenario/point.h"
#include "sim/scenario/run.h"

namespace syncsim {

// A step of the point on a machine whose links carry anything in no time: what compute alone
// makes of it, with waiting for slower ranks and for cycles.
Time step_on_infinite_network(const Point& point, const RunSettings& settings);

// A step that sends nothing before backward is over.
Time step_without_overlap(Point point, const RunSettings& settings);

}  // namespace syncsim
