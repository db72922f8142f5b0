#pragma once
// A machine as a topology file: the inverse of read_topology, read(write(m)) == m in everything
// (the order of nodes and links, names, figures to the bit), and as a person would write it: one
// type for all links of the same figures ("pcie", "pcie_2"), ranges of ids, stars, pairs and full
// meshes where they keep the order, and nothing that is a default.
//
// Throws InputError for what no file can say: node ids with brackets or control characters or of
// more than kLongestId, and rates that parse_bandwidth refuses. A machine without a name gets one.

#include <string>

#include "sim/topology/topology.h"

namespace syncsim {

std::string topology_json(const Topology& topology);  // ends with a newline
std::string topology_json(const Topology::Parts& parts);

}  // namespace syncsim
