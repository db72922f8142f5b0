#pragma once
// One end's part of a breadth-first search that is driven from both ends (shortest_paths.h).

#include <cstddef>
#include <span>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

// What the search from one end has found, layer by layer. Between searches all depths are
// kUnseen, so that a search costs only what it looks at.
struct SearchSide {
  static constexpr int kUnseen = -1;

  // From a node of one layer to one of the next.
  struct Step {
    NodeId near = 0;
    NodeId far = 0;
    LinkId link = 0;
  };

  explicit SearchSide(std::size_t nodes) : depth(nodes, kUnseen) {}

  void start(NodeId node) {
    found.push_back(node);
    depth[node] = 0;
  }
  std::span<const NodeId> layer() const { return std::span(found).subspan(layer_begin); }
  // A step from the last layer, while the next one, of depth `next`, is being found.
  void reach(const Step& step, int next) {
    int& its_depth = depth[step.far];
    if (its_depth == kUnseen) {
      its_depth = next;
      found.push_back(step.far);
    }
    if (its_depth == next) steps.push_back(step);
  }
  void clear() {
    for (const NodeId node : found) depth[node] = kUnseen;
    found.clear();
    steps.clear();
    layer_begin = 0;
    layers = 0;
  }

  std::vector<NodeId> found;
  std::vector<Step> steps;
  std::size_t layer_begin = 0;  // of the last layer, in `found`
  int layers = 0;               // after the end itself
  std::vector<int> depth;
};

}  // namespace syncsim
