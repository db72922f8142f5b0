#pragma once
// Topology files (README, "Topology files"): link types, nodes and links with ranges, stars, pairs
// and full meshes; or a generated kind, see kinds.h. Everything unknown, missing, doubled, zero,
// negative or non-finite is refused with its place; so are ranks without a route to each other.

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/topology/topology.h"

namespace syncsim {

// The most nodes, and the most links, that one file may expand to.
inline constexpr std::int64_t kMostNodes = 4'000'000;

// "gpu[0-3]" -> gpu0 gpu1 gpu2 gpu3; several ranges multiply, the last one fastest; "cpu0" -> cpu0.
// Throws InputError for a malformed, descending or huge range.
std::vector<std::string> expand_range(std::string_view text);

Topology read_topology(const JsonReader& json);
// `reference` is a path (it holds '/' or ends in ".json") or a name on the shelf, i.e. a file
// `shelf_directory`/NAME.json. Unknown names get did-you-mean.
Topology load_topology(const std::string& reference, const std::string& shelf_directory);
// Names on the shelf, sorted.
std::vector<std::string> shelf_names(const std::string& shelf_directory);

}  // namespace syncsim
