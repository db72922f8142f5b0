#pragma once
// One function a kind, each in its own file, and what they share.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/topology/machine_source.h"
#include "sim/topology/topology.h"

namespace syncsim {

Topology::Parts generate_dragonfly(const JsonReader& json, MachineSource& source);
Topology::Parts generate_fat_tree(const JsonReader& json, MachineSource& source);
Topology::Parts generate_fully_connected(const JsonReader& json, MachineSource& source);
Topology::Parts generate_hypercube(const JsonReader& json, MachineSource& source);
Topology::Parts generate_mesh(const JsonReader& json, MachineSource& source);
Topology::Parts generate_rail_optimized(const JsonReader& json, MachineSource& source);
Topology::Parts generate_ring(const JsonReader& json, MachineSource& source);
Topology::Parts generate_star(const JsonReader& json, MachineSource& source);
Topology::Parts generate_torus(const JsonReader& json, MachineSource& source);

// Refuses every key but the kind's `own` and those that all kinds take.
void allow_keys(const JsonReader& json, std::vector<std::string> own);
// From 1 to kMostLeaves.
std::uint64_t read_count(const JsonReader& json);
// A link type under a key, which is required, or else is `otherwise`.
Link read_link(const JsonReader& json);  // "link"
Link read_link(const JsonReader& json, std::string_view key, const Link& otherwise);
// Where a key was written, or else the whole object.
JsonReader field_or_all(const JsonReader& json, std::string_view key);
// `count` switches, switch0 and so on; returns the first.
NodeId add_switches(Topology::Parts& parts, std::string_view name, std::uint64_t count);

}  // namespace syncsim
