#pragma once
// What every op of a schedule waits for, counted: its predecessors by edges, and the op before it
// on its lane. One that is both counts twice, and is told of twice when it finishes.

#include <cstdint>

#include "sim/base/large_vector.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

struct OpWaits {
  explicit OpWaits(const Schedule& schedule);

  LargeVector<std::uint32_t> count;  // by op
  LargeVector<OpId> next_in_lane;    // by op; kNone at the end of a lane and for joins
};

}  // namespace syncsim
