#pragma once
// Helpers that do no more than a node that forwards: whatever comes to them they take by a copy and
// hand on once at most. They add nothing up and multiply nothing, so that bounds which forbid both
// to free nodes hold with them.

#include <vector>

#include "sim/schedule/schedule.h"

namespace syncsim {

// By participant; false for ranks. None in a schedule of groups, nor one of relaxed buffers.
std::vector<bool> only_relaying(const Schedule& schedule);

}  // namespace syncsim
