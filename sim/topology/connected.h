#pragma once
// Whether all ranks reach each other, by the router's rule that the inner nodes of a path forward.
// Nodes that forward fall into islands of cables between them; two ranks reach each other when they
// touch a common island or share a cable. Where one island touches all ranks, as in nearly every
// machine, that is all: O(nodes + links). Otherwise (a full mesh of gpus) the ranks outside the
// largest island are followed up, 512 at a time, each time in O(nodes + links).

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

// Ranks, by number, that have no route to the rank `from`.
struct CutOff {
  std::size_t from = 0;
  std::vector<std::size_t> ranks;  // ascending
};

// Of the first rank that does not reach all others; none: all reach each other.
std::optional<CutOff> first_cut_off(const Topology& topology);
// The first pair of ranks, in rank order, without a route.
std::optional<std::pair<NodeId, NodeId>> first_cut_off_pair(const Topology& topology);

// "gpu4, gpu5 and gpu6 (ranks 4-6) are cut off from gpu0"; of many ranks the first few and a count.
std::string to_string(const CutOff& cut, const Topology& topology);

}  // namespace syncsim
