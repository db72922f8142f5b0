#pragma once
// Whether all ranks reach each other, by the router's rule that the inner nodes of a path forward.
// Nodes that forward fall into islands of cables between them; two ranks reach each other when they
// touch a common island or share a cable. Where one island touches all ranks, as in nearly every
// machine, that is all: O(nodes + links). Otherwise (a full mesh of gpus) each rank is followed up.

#include <optional>
#include <utility>

#include "sim/topology/topology.h"

namespace syncsim {

// The first pair of ranks, in rank order, without a route; none: all reach each other.
std::optional<std::pair<NodeId, NodeId>> first_cut_off_pair(const Topology& topology);

}  // namespace syncsim
