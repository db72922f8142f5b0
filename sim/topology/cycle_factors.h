#pragma once
// Steps 1 and 2 of cycle_cover.h.

#include <cstddef>
#include <utility>
#include <vector>

namespace syncsim {

inline constexpr int kNoFactor = -1;

// The place in a table of ranks.
constexpr std::size_t place_of(int rank) { return static_cast<std::size_t>(rank); }

struct Factors {
  int count = 0;
  std::vector<int> of_edge;  // a number below `count`, or kNoFactor
};

// As many as there can be by the least degree; none when none are found.
Factors factors_of(int ranks, const std::vector<std::pair<int, int>>& edges);

}  // namespace syncsim
