// {"kind": "mesh", "dimensions": [4, 4], "link": {...}}: see grid.h; no dimension closes. The gpus
// forward. Machines in place of gpus: see places.h.

#include "sim/topology/kinds/generators.h"
#include "sim/topology/kinds/grid.h"
#include "sim/topology/kinds/places.h"

namespace syncsim {

Topology::Parts generate_mesh(const JsonReader& json, MachineSource& source) {
  allow_keys(json, with_machine_keys({"dimensions", "link"}));
  return generate_grid(json, read_grid(json), "mesh", source);
}

}  // namespace syncsim
