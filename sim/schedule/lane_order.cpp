#include "sim/schedule/lane_order.h"

#include <utility>
#include <vector>

#include "sim/schedule/lane_index.h"

namespace syncsim {

LargeVector<OpId> next_in_lanes(const Schedule& schedule) {
  LargeVector<OpId> next(schedule.ops.size(), kNone);
  LaneIndex lanes;
  std::vector<OpId> last;  // of each lane
  for (OpId id = 0; id < schedule.ops.size(); ++id) {
    const std::uint32_t lane = lanes.number(schedule.ops[id]);
    if (lane == kNone) continue;
    if (lane == last.size()) last.push_back(kNone);
    const OpId before = std::exchange(last[lane], id);
    if (before != kNone) next[before] = id;
  }
  return next;
}

}  // namespace syncsim
