#pragma once
// Rings of direct links among more ranks than ring_packing.h takes: disjoint cycles (cycle_cover.h)
// where there are several, or else one ring, in the given order where cables join it.

#include <map>
#include <utility>
#include <vector>

#include "sim/topology/embedding.h"

namespace syncsim {

using DirectUnits = std::map<std::pair<int, int>, int>;  // of ranks, the smaller index first

std::vector<int> ranks_in_order(std::size_t ranks);
// The way round whose second rank is smaller than its last. Begins with 0.
Ring canonical_ring(std::vector<int> order, int multiplicity);

// Empty when no cycle was found.
std::vector<Ring> rings_of_many(const DirectUnits& units, std::size_t ranks);

}  // namespace syncsim
