#pragma once
// Machines made of machines: in a topology file
//   "instances": [{"prefix": "node[0-2047]/", "topology": "dgx_a100.json"}]
// `topology` is a path beside this file, a name on the shelf (with or without ".json"; a file
// beside comes first), or a machine written in place.
// `prefix`, an id range, goes before the ids of each copy: node7/gpu3; without it there is one copy
// with the ids as they are. Nodes, links and ranks come in the order of entries and copies.
// The policies of the machines become the whole's: they must agree on p2p, acs, gdr and relays,
// unless the file's "routing" says. NIC choices are kept, with prefixes.

#include <optional>
#include <span>
#include <string>

#include "sim/topology/machine_source.h"
#include "sim/topology/node_index.h"

namespace syncsim {

// Appends copies of `machine`, one for each prefix, without its policy; of that, NIC choices only.
// Links have no names yet, but for those whose entries say "kind_in_name".
void add_copies(Topology::Parts& whole, const Topology::Parts& machine,
                std::span<const std::string> prefixes);

// The list of instances, into an empty machine and its index; `routing` is the file's, if any.
// Refuses sizes that there is no room for before anything is copied.
void read_instances(const JsonReader& list, const std::optional<JsonReader>& routing,
                    MachineSource& source, Topology::Parts& whole, NodeIndex& index);

}  // namespace syncsim
