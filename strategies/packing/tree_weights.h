#pragma once
// How much each of given trees should carry, so that the fullest resource is as empty as can be:
//   minimize over weights, which average 1 in each group, max over resources of sum of weight x
//   load
// by multiplicative weights (Arora, Hazan and Kale, Theory of Computing 8, 2012): a tree that uses
// full resources loses to those of its group that use others, the less the longer it goes on.

#include <cstdint>
#include <vector>

namespace syncsim::strategy {

struct TreeLoad {
  std::uint32_t resource = 0;
  double seconds = 0;  // that the resource takes for a byte in the tree
};

struct WeighedTrees {
  std::vector<double> weights;  // by tree; 0: it is not worth having
  double fullest = 0;           // seconds of the fullest resource
};

// `loads` and `groups` by tree; groups are numbered from 0.
WeighedTrees balanced(const std::vector<std::vector<TreeLoad>>& loads,
                      const std::vector<int>& groups, int rounds);

}  // namespace syncsim::strategy
