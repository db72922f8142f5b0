#pragma once
// Figures of nodes: "node:cpu* transit_bandwidth=40 GB/s reduce_bandwidth=10 GB/s peer_cost=1.2".
// Rules and units as in topology files (node_json.h).

#include <string_view>

#include "sim/topology/edits/verbs.h"

namespace syncsim {

bool is_node_figure(std::string_view key);
// Whether the edit is of nodes and sets one of their figures.
bool is_of_node_figures(const EditPhrase& phrase);
MachineChange understand_node_figures(const EditPhrase& phrase);

}  // namespace syncsim
