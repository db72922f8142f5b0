#include "sim/engine/lowest_level.h"

#include <algorithm>

namespace syncsim::engine {

void LowestLevel::build() {
  const std::size_t leaves = nodes_.size();
  if (leaves == 0) return;
  nodes_.resize(2 * leaves);
  std::copy_backward(nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(leaves),
                     nodes_.end());
  for (std::size_t leaf = leaves; leaf < 2 * leaves; ++leaf)
    nodes_[leaf].leaf = static_cast<std::uint32_t>(leaf);
  for (std::size_t node = leaves - 1; node > 0; --node) nodes_[node] = winner(node);
}

void LowestLevel::raise_first(double level) {
  std::size_t node = first().leaf;
  nodes_[node].level = level;
  while (node > 1) {
    node /= 2;
    nodes_[node] = winner(node);
  }
}

}  // namespace syncsim::engine
