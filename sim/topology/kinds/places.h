#pragma once
// The places of a ring, a mesh and their like. At each stands a gpu (gpu0, gpu1, ...), or, when a
// "machine" is given, a switch (router0, router1, ...) to which the machine's ports are joined by
// "host_link", or else by the link that joins the places.

#include <cstdint>
#include <vector>

#include "sim/topology/kinds/leaves.h"

namespace syncsim {

struct Places {
  Topology::Parts parts;
  NodeId first = 0;  // place i is node first + i
};

// `own` and the keys of machines.
std::vector<std::string> with_machine_keys(std::vector<std::string> own);
// Of a machine whose places are joined by so many cables of the type `link`.
Places make_places(const JsonReader& json, const MachineSource& source, const Leaves& leaves,
                   std::uint64_t cables, const Link& link, GpuForwards forwards);

}  // namespace syncsim
