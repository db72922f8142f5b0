#pragma once
// Ranks that come late to a collective: stragglers. Nothing is sent from or to a rank before it has
// come, as with kernels that have to be launched at both ends (NCCL); what others do among
// themselves goes on.

#include <map>

#include "sim/schedule/schedule.h"

namespace syncsim {

inline constexpr const char* kLateStartPhase = "late start";

// The schedule with a compute op of `starts[r]` at each rank r named, before all that touches it,
// in a phase of its own, the first. Ranks have to be below `schedule.ranks`; a start of 0 changes
// nothing.
Schedule start_late(Schedule schedule, const std::map<int, Time>& starts);

}  // namespace syncsim
