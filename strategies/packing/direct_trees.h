#pragma once
// Trees over links that join ranks directly: k edge-disjoint spanning trees of the multigraph in
// which a link of rate c has floor(c / w) edges carry k w. For every k the largest w counts; taken
// is the smallest k whose rate is kGoodEnough of the best found.

#include <optional>

#include "strategies/packing/rank_graph.h"

namespace syncsim::strategy {

struct EdgeTrees {
  std::vector<std::vector<Edge>> trees;
  double rate = 0;
};

// None where direct links do not join all ranks.
std::optional<EdgeTrees> direct_trees(const RankGraph& graph, int most_trees);

}  // namespace syncsim::strategy
