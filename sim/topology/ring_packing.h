#pragma once
// Packs rings into a multigraph of cables: Hamiltonian cycles with multiplicities, no cable used
// twice, as many in sum as possible, and of equal sums the fewest different rings.
//
// 1. A quick packing: whichever cycle is found is taken as often as its cables allow, until none is
//    left; again with the neighbours in other (fixed) orders, and the best one kept.
// 2. If all the machine's cycles can be listed, an exact search for every sum from the bound (half
//    the thinnest rank's cables) down to the quick packing's, with few rings first.
// Both count steps, never time, so the result is always the same. A machine too dense to list its
// cycles, such as a full mesh of 16, keeps the quick packing.

#include <vector>

#include "sim/topology/cycles.h"
#include "sim/topology/embedding.h"

namespace syncsim {

// Sorted as find_rings promises; empty when there is no Hamiltonian cycle (or none was found within
// the budget). At least three ranks, at most kMostMatrixRanks.
std::vector<Ring> pack_rings(const CableMatrix& cables);

void sort_rings(std::vector<Ring>& rings);  // by multiplicity, largest first, then order

}  // namespace syncsim
