#pragma once
// Edge-disjoint Hamiltonian cycles in a large graph of equal cables. In a torus there are as many
// as dimensions, whatever the lengths (Kotzig 1973 for two; Aubert and Schneider 1982).
//
// 1. A part of the graph with 2k edges at every rank: all of it, or, of a bipartite one, what a
//    flow chooses.
// 2. Petersen: it falls into k factors, sets of cycles through all ranks. Edges are given a
//    direction, so that k lead out of a rank and k into it; a factor is a perfect matching of ranks
//    as sources to ranks as targets.
// 3. In a square of edges of which two opposite ones are of one factor, the other two of another or
//    of none, the pairs change places where that joins cycles: mostly when there are less of them
//    then, now and then also when there are as many.
// Choices are pseudo-random by a fixed seed and steps are counted, so that the result is always the
// same. A factor that is not a single cycle in the end is left out.

#include <utility>
#include <vector>

namespace syncsim {

// `edges`: pairs of different ranks, each once. Cycles begin with 0.
std::vector<std::vector<int>> edge_disjoint_cycles(int ranks,
                                                   const std::vector<std::pair<int, int>>& edges);

}  // namespace syncsim
