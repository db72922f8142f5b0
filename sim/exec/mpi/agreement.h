#pragma once
// What all processes say to each other before they do something that none can do alone. Each comes
// to the same agreements in the same order; one that has failed comes to the next one with what it
// found wrong, so that no other waits for it for ever.

#include <vector>

#include "sim/base/watch.h"
#include "sim/exec/processes/saying.h"

namespace syncsim {

// What all say, by rank. Throws JointFailure where any has failed, or not all are at the same.
std::vector<Saying> agree(const Saying& own, Watch* watch);

}  // namespace syncsim
