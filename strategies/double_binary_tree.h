#pragma once
// The two binary trees of double_binary_tree, for others that join more than ranks by them.

#include <vector>

namespace syncsim::strategy {

// The parent of a position of the first tree over so many; position 0 is the root, its own.
int binary_parent(int position, int count);

// What stands at the positions of the second tree, given what stands at those of the first.
// `one_root`: position 0 is kept.
std::vector<int> second_order(const std::vector<int>& first, bool one_root);

}  // namespace syncsim::strategy
