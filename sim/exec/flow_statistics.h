#pragma once
// What a replay of plain traffic comes to, of the flows that are finished: all but where it was
// stopped. Zero where none is. A flow's completion time (FCT) is finish - start; its slowdown is
// that over what it takes alone at the start's bandwidths (1 where both are 0; where events raise
// bandwidths it may be below 1). Percentiles are nearest ranks:
// the least time that at least so many of the flows keep to.

#include <cstdint>

#include "sim/exec/replay.h"
#include "sim/exec/traffic.h"

namespace syncsim {

struct FlowStatistics {
  std::uint64_t flows = 0;
  Bytes bytes;
  Time first_start;
  Time last_finish;
  Time mean;  // to the nearest picosecond
  Time median;
  Time p99;
  Time maximum;
  double mean_slowdown = 1;

  Time makespan() const { return last_finish - first_start; }
};

FlowStatistics statistics_of(const Traffic& traffic, const Replay& replay);

}  // namespace syncsim
