#pragma once
// Generated machines: {"kind": "star", "gpus": 16, "link": {...}}. A kind is one file in kinds/ and
// one row in kinds.cpp. Parameters are documented at each generator and printed by `list kinds`.

#include <string_view>

#include "sim/base/json_reader.h"
#include "sim/base/named_table.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct TopologyKind {
  std::string_view name;
  std::string_view description;  // one line, with its parameters
  // Reads the object's own parameters ("kind", "name", "description", "source" and "link" are read
  // by all) and returns the machine.
  Topology::Parts (*generate)(const JsonReader& json);
};

const NamedTable<TopologyKind>& topology_kinds();

}  // namespace syncsim
