#pragma once
// Topologies written as JSON text.

#include <string>
#include <string_view>

#include "sim/base/json_reader.h"
#include "sim/topology/topology_json.h"
#include "tests/support/refusal.h"

namespace syncsim::testing {

inline Topology read_machine(std::string_view text) {
  return read_topology(JsonFile::parse(text, "m.json").root());
}

}  // namespace syncsim::testing
