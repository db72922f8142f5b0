#pragma once
// One clock for all processes: that of rank 0. It asks each of the others a few times; of the
// answer that was back first half the way is taken for the delay, so the offset is right within
// half the least round trip. Processes on one kernel, whatever their namespaces, share its clock:
// 0.

#include <chrono>
#include <cstdint>

#include "sim/exec/mpi/session.h"
#include "sim/exec/processes/patience.h"

namespace syncsim {

// What this process's steady clock is ahead of rank 0's. For all processes at once.
std::chrono::nanoseconds clock_offset(const MpiSession& session, Patience& patience);

}  // namespace syncsim
