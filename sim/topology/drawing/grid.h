#pragma once
// Meshes, tori, rings and hypercubes among things without anything else, found by their links:
// things are numbered row by row, the first dimension fastest.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/topology/drawing/picture.h"

namespace syncsim::drawing {

struct Grid {
  std::vector<std::size_t> sides;  // at most 4, each at least 2

  std::vector<std::size_t> place(std::size_t thing) const;  // its coordinates
};

// A step of one link: along which dimension, and whether it closes a circle.
struct Step {
  std::size_t dimension = 0;
  bool wraps = false;
};
std::optional<Step> step_between(const Grid& grid, std::size_t from, std::size_t to);

// The grid of fewest dimensions in which every bundle is a step; none, or too few links: nothing.
std::optional<Grid> find_grid(std::size_t things, std::span<const Bundle> bundles);

}  // namespace syncsim::drawing
