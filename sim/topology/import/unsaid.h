#pragma once
// What the text of an imported machine left unsaid of the machine as a whole, and what is taken:
// no latencies at all, and no limit of the cpus through which gpus reach each other.

#include <string>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

// One line each, without the place. Looks at the routes among the first few dozen ranks.
std::vector<std::string> unsaid_figures(const Topology& machine);

}  // namespace syncsim
