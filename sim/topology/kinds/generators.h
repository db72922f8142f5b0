#pragma once
// One function a kind, each in its own file, and what they share.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/topology/machine_source.h"
#include "sim/topology/topology.h"

namespace syncsim {

Topology::Parts generate_ring(const JsonReader& json, MachineSource& source);
Topology::Parts generate_star(const JsonReader& json, MachineSource& source);

// Refuses every key but the kind's `own` and those that all kinds take.
void allow_keys(const JsonReader& json, std::vector<std::string> own);
// "gpus": how many, from 1 to a million, of a machine with about as many cables. Refuses what there
// is no memory for.
std::int64_t read_gpus(const JsonReader& json, const MachineSource& source);
// gpu0, gpu1, ...: `count` copies of `gpu`, each a rank.
void add_gpus(Topology::Parts& parts, std::int64_t count, Node gpu);

}  // namespace syncsim
