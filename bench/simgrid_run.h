#pragma once
// Running a graph of flows on SimGrid. There are two ways; the build takes one:
//   direct  simgrid_direct.cpp: calls the network model itself, with the headers of SimGrid's
//           source (Debian's package installs none of them). The least overhead that SimGrid has.
//   public  simgrid_public.cpp: the public API, communications started from completion callbacks,
//           without actors. SimGrid 3.32 keeps those in a list and searches it for each one that
//           ends: quadratic in how many are under way.

#include <string_view>

#include "bench/flow_graph.h"
#include "bench/simgrid_platform.h"

namespace syncsim::bench {

std::string_view way_to_simgrid();  // "direct" or "public"

// Returns the simulated time of the last finish, in seconds.
double run_on_simgrid(const FlowGraph& flows, SimgridPlatform& platform);

}  // namespace syncsim::bench
