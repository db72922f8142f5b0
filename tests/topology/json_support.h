#pragma once
// Topologies written as JSON text, and the message with which one is refused.

#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/json_reader.h"
#include "sim/topology/topology_json.h"

namespace syncsim::testing {

inline Topology read_machine(std::string_view text) {
  return read_topology(JsonFile::parse(text, "m.json").root());
}

// "accepted" when `act` throws no InputError.
template <class Act>
std::string refusal_of(const Act& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace syncsim::testing
