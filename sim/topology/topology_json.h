#pragma once
// Topology files (README, "Topology files"): link types, nodes and links with ranges, stars, pairs
// and full meshes; machines made of others, see instances.h; or a generated kind, see kinds.h. All
// that is unknown, missing, doubled, zero, negative or non-finite is refused with its place; so are
// ranks without a route to each other.

#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/base/memory.h"
#include "sim/topology/id_range.h"
#include "sim/topology/topology.h"

namespace syncsim {

// A machine that there is no memory for is refused before it is built. Names of machines that it is
// made of are those of files in `shelf_directory`.
Topology read_topology(const JsonReader& json, const MemoryLimit& memory = {},
                       const std::string& shelf_directory = "");
// `reference` is a path (it holds '/' or ends in ".json") or a name on the shelf, i.e. a file
// `shelf_directory`/NAME.json; NAME.json is that, too, where no such file is beside. Did-you-mean.
Topology load_topology(const std::string& reference, const std::string& shelf_directory,
                       const MemoryLimit& memory = {});
// The file that `reference` stands for; a path is taken from the directory `beside`. Throws
// InputError without a place when there is none.
std::string topology_path(const std::string& reference, const std::string& shelf_directory,
                          const std::string& beside = "");
// Names on the shelf, sorted. Files with a further '.' in their name, such as schemas, are none.
std::vector<std::string> shelf_names(const std::string& shelf_directory);

}  // namespace syncsim
