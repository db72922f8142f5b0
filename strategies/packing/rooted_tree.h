#pragma once
// A tree over the ranks, and relays where it takes some, while it is being laid, and how many
// levels below the root nodes are in it.

#include <vector>

#include "strategies/packing/prices.h"

namespace syncsim::strategy {

struct RootedTree {
  int root = 0;
  std::vector<Branch> branches;  // by node; the root's is none, nor has a node outside one

  bool hangs(int node) const {
    return node != root && branches[static_cast<std::size_t>(node)].price < kInfinity;
  }
  bool holds(int node) const { return node == root || hangs(node); }
  int parent(const RankGraph& graph, int node) const {
    return graph.arcs()[branches[static_cast<std::size_t>(node)].arc].from;
  }
};

// Looked up anew for each tree, and each node that is to move in it.
class Levels {
 public:
  explicit Levels(const RankGraph& graph)
      : graph_(graph),
        seen_(static_cast<std::size_t>(graph.nodes()), 0),
        level_(static_cast<std::size_t>(graph.nodes()), 0) {}

  // `tree` must stay as it is until the next look. `moving`: a node, or none.
  void look_at(const RootedTree& tree, int moving = kNone) {
    tree_ = &tree;
    ++look_;
    if (moving != kNone) put(moving, kBelow);
    put(tree.root, 0);
  }

  // Of a node in the tree. kBelow for the one that moves and those below it.
  int of(int node) {
    way_.clear();
    int top = node;
    for (; seen_[index(top)] != look_; top = tree_->parent(graph_, top)) way_.push_back(top);
    for (auto below = way_.rbegin(); below != way_.rend(); ++below) {
      put(*below, level_[index(top)] == kBelow ? kBelow : level_[index(top)] + 1);
      top = *below;
    }
    return level_[index(node)];
  }

  static constexpr int kBelow = -1;

 private:
  static constexpr int kNone = -1;
  static std::size_t index(int node) { return static_cast<std::size_t>(node); }
  void put(int node, int level) {
    seen_[index(node)] = look_;
    level_[index(node)] = level;
  }

  const RankGraph& graph_;
  const RootedTree* tree_ = nullptr;
  int look_ = 0;
  std::vector<int> seen_;   // by node, the look
  std::vector<int> level_;  // by node
  std::vector<int> way_;
};

}  // namespace syncsim::strategy
