#pragma once
// A machine written out: instances, nodes and links (README, "Topology files").

#include "sim/topology/machine_source.h"

namespace syncsim {

// Instances' nodes and ranks come first. Not checked as a whole: ranks may be missing.
Topology::Parts read_machine(const JsonReader& json, MachineSource& source);

}  // namespace syncsim
