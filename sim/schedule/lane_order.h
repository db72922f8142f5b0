#pragma once
// The order that lanes impose, as edges.

#include "sim/base/large_vector.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

// By op: the next one on its lane (source, destination, channel). kNone at the end of a lane and
// for joins, which have none.
LargeVector<OpId> next_in_lanes(const Schedule& schedule);

}  // namespace syncsim
