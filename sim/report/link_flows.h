#pragma once
// Who uses which link: of each link of a report the pairs of participants whose bytes pass it, a
// group of them counting as one. Takes O(ops + lanes x uses of their routes).

#include "sim/base/memory.h"
#include "sim/report/report.h"

namespace syncsim {

// Throws InputError when they would pass the memory.
void add_link_flows(Report& report, const Topology& topology, const Schedule& schedule,
                    const MemoryLimit& memory = {});

}  // namespace syncsim
