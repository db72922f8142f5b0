#pragma once
// Edge-disjoint spanning trees in an undirected multigraph: Edmonds' matroid partition ("Minimum
// partition of a matroid into independent subsets", J. Res. NBS 69B, 1965) with the forests of
// Roskind and Tarjan (Math. Oper. Res. 10(4), 1985). An edge that closes a cycle in every forest
// may still find a place if edges on those cycles move on; the shortest such chain is found by
// breadth-first search, so that as many edges as possible lie in forests at the end.

#include <optional>
#include <vector>

namespace syncsim::strategy {

struct Edge {
  int a = 0;
  int b = 0;
  friend bool operator==(const Edge&, const Edge&) = default;
};

// `count` spanning trees on `nodes` nodes, edge-disjoint; none if there are not so many. Parallel
// edges stand for themselves. Edges that come early are taken rather than late ones.
std::optional<std::vector<std::vector<Edge>>> disjoint_trees(int nodes,
                                                             const std::vector<Edge>& edges,
                                                             int count);

}  // namespace syncsim::strategy
