#pragma once
// Topology files (README, "Topology files"): link types, nodes and links with ranges, stars, pairs
// and full meshes; or a generated kind, see kinds.h. Everything unknown, missing, doubled, zero,
// negative or non-finite is refused with its place; so are ranks without a route to each other.

#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/base/memory.h"
#include "sim/topology/id_range.h"
#include "sim/topology/topology.h"

namespace syncsim {

// A machine that there is no memory for is refused before it is built.
Topology read_topology(const JsonReader& json, const MemoryLimit& memory = {});
// `reference` is a path (it holds '/' or ends in ".json") or a name on the shelf, i.e. a file
// `shelf_directory`/NAME.json. Unknown names get did-you-mean.
Topology load_topology(const std::string& reference, const std::string& shelf_directory,
                       const MemoryLimit& memory = {});
// Names on the shelf, sorted. Files with a further '.' in their name, such as schemas, are none.
std::vector<std::string> shelf_names(const std::string& shelf_directory);

}  // namespace syncsim
