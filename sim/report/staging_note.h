#pragma once
// What a report says of staging that costs nothing, so that nobody takes it for measured.

#include <span>
#include <string>

#include "sim/topology/topology.h"

namespace syncsim {

// "staged through cpu[0-1], whose transit is not known: ..." with how to set it; of one cpu at
// least. A cpu may come twice.
std::string staging_note(const Topology& topology, std::span<const NodeId> cpus);

}  // namespace syncsim
