#pragma once
// Free nodes that cuts between terminals do not need (cut_graph.h, rule 3), until none is left:
// - one without neighbours, or with one, goes;
// - one with two, a and b, becomes arcs a > b and b > a of the lesser capacity of each way;
// - of several with the same neighbours and equal capacities, one remains with their sum: a least
//   cut has them on one side.

#include <cstdint>
#include <map>
#include <vector>

#include "sim/analysis/cut_graph.h"

namespace syncsim {

// A cut graph whose capacities are still bytes per second.
struct LooseGraph {
  std::vector<NodeId> terminals;
  std::size_t ranks = 0;
  std::vector<std::map<std::uint32_t, double>> rates;  // by node: where it leads, how fast
};

// Terminals keep their numbers; free nodes that remain move up.
LooseGraph merged(LooseGraph graph);

}  // namespace syncsim
