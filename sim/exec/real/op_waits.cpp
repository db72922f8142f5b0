#include "sim/exec/real/op_waits.h"

#include "sim/schedule/lane_order.h"

namespace syncsim {

OpWaits::OpWaits(const Schedule& schedule)
    : count(schedule.ops.size()), next_in_lane(next_in_lanes(schedule)) {
  for (const OpId to : schedule.edges) ++count[to];
  for (const OpId next : next_in_lane)
    if (next != kNone) ++count[next];
}

}  // namespace syncsim
