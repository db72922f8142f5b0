#pragma once
// Topologies written as JSON text.

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/topology/topology_json.h"
#include "tests/support/refusal.h"

namespace syncsim::testing {

inline Topology read_machine(std::string_view text) {
  return read_topology(JsonFile::parse(text, "m.json").root());
}

// By name, in order.
inline std::vector<std::string> cables(const Topology& topology) {
  std::vector<std::string> names;
  for (LinkId link = 0; link < topology.links().size(); link += 2)
    names.push_back(topology.cable_name(link));
  return names;
}

}  // namespace syncsim::testing
