#pragma once
// Generated machines: {"kind": "star", "gpus": 16, "link": {...}}. A kind is one file in kinds/,
// declared in kinds/generators.h, and one row in kinds.cpp. Parameters are documented at each
// generator and printed by `list kinds`. "link" takes the keys of a link type (link_type.h).

#include <string_view>

#include "sim/base/json_reader.h"
#include "sim/base/named_table.h"
#include "sim/topology/machine_source.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct TopologyKind {
  std::string_view name;
  std::string_view description;  // one line, with its parameters
  // Refuses keys that are neither the kind's own nor for all ("kind", "name", "description",
  // "source", "routing") and returns the machine, with a name of its own: the file's, if any,
  // replaces it. Refuses a machine that there is no memory for before it is made.
  Topology::Parts (*generate)(const JsonReader& json, MachineSource& source);
};

const NamedTable<TopologyKind>& topology_kinds();

// The machine that `json` describes by its "kind", "name" and "routing".
Topology::Parts generate_machine(const JsonReader& json, MachineSource& source);

}  // namespace syncsim
