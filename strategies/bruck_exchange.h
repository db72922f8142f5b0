#pragma once
// Bruck's all-to-all (see bruck.cpp). A block for the rank j further on travels by the bits of j:
// in step k those whose bit k is set go 2^k on, about half of them: ceil(lg n) a + lg n M / 2B. A
// block is sent once for every bit, which pays for small sizes only. What goes together is packed
// into one message, of blocks padded to the largest (they differ by an element); copies within a
// rank cost nothing.

#include "sim/schedule/builder.h"

namespace syncsim::strategy {

void emit_bruck_exchange(ScheduleBuilder& builder);

}  // namespace syncsim::strategy
