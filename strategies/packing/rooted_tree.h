#pragma once
// A tree over the ranks while it is being laid, and how many levels below the root ranks are in it.

#include <vector>

#include "strategies/packing/prices.h"

namespace syncsim::strategy {

struct RootedTree {
  int root = 0;
  std::vector<Branch> branches;  // by rank; the root's is none

  int parent(const RankGraph& graph, int rank) const {
    return graph.arcs()[branches[static_cast<std::size_t>(rank)].arc].from;
  }
};

// Looked up anew for each tree, and each rank that is to move in it.
class Levels {
 public:
  explicit Levels(const RankGraph& graph)
      : graph_(graph),
        seen_(static_cast<std::size_t>(graph.ranks()), 0),
        level_(static_cast<std::size_t>(graph.ranks()), 0) {}

  // `tree` must stay as it is until the next look. `moving`: a rank, or none.
  void look_at(const RootedTree& tree, int moving = kNone) {
    tree_ = &tree;
    ++look_;
    if (moving != kNone) put(moving, kBelow);
    put(tree.root, 0);
  }

  // kBelow for the rank that moves and those below it.
  int of(int rank) {
    way_.clear();
    int top = rank;
    for (; seen_[index(top)] != look_; top = tree_->parent(graph_, top)) way_.push_back(top);
    for (auto below = way_.rbegin(); below != way_.rend(); ++below) {
      put(*below, level_[index(top)] == kBelow ? kBelow : level_[index(top)] + 1);
      top = *below;
    }
    return level_[index(rank)];
  }

  static constexpr int kBelow = -1;

 private:
  static constexpr int kNone = -1;
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }
  void put(int rank, int level) {
    seen_[index(rank)] = look_;
    level_[index(rank)] = level;
  }

  const RankGraph& graph_;
  const RootedTree* tree_ = nullptr;
  int look_ = 0;
  std::vector<int> seen_;   // by rank, the look
  std::vector<int> level_;  // by rank
  std::vector<int> way_;
};

}  // namespace syncsim::strategy
