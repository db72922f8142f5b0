#include "sim/topology/drawing/grid.h"

#include <algorithm>

namespace syncsim::drawing {
namespace {

constexpr std::size_t kMostDimensions = 4;

bool fits(const Grid& grid, std::span<const Bundle> bundles) {
  return std::all_of(bundles.begin(), bundles.end(), [&](const Bundle& bundle) {
    return step_between(grid, bundle.a, bundle.b).has_value();
  });
}

// Ways to write `things` as a product of `dimensions` sides, the first that fits.
std::optional<Grid> search(Grid grid, std::size_t things, std::size_t dimensions,
                           std::span<const Bundle> bundles) {
  if (dimensions == 1) {
    grid.sides.push_back(things);
    return fits(grid, bundles) ? std::optional(grid) : std::nullopt;
  }
  for (std::size_t side = 2; side <= things / 2; ++side) {
    if (things % side != 0) continue;
    Grid longer = grid;
    longer.sides.push_back(side);
    if (auto found = search(std::move(longer), things / side, dimensions - 1, bundles))
      return found;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::size_t> Grid::place(std::size_t thing) const {
  std::vector<std::size_t> coordinates;
  for (const std::size_t side : sides) {
    coordinates.push_back(thing % side);
    thing /= side;
  }
  return coordinates;
}

std::optional<Step> step_between(const Grid& grid, std::size_t from, std::size_t to) {
  const std::vector<std::size_t> a = grid.place(from);
  const std::vector<std::size_t> b = grid.place(to);
  std::optional<Step> step;
  for (std::size_t d = 0; d < a.size(); ++d) {
    if (a[d] == b[d]) continue;
    const auto [low, high] = std::minmax(a[d], b[d]);
    const bool wraps = low == 0 && high == grid.sides[d] - 1 && high > 1;
    if (step || (high - low != 1 && !wraps)) return std::nullopt;
    step = Step{d, wraps};
  }
  return step;
}

std::optional<Grid> find_grid(std::size_t things, std::span<const Bundle> bundles) {
  if (things < 2 || bundles.size() + 1 < things) return std::nullopt;
  for (std::size_t dimensions = 1; dimensions <= kMostDimensions; ++dimensions)
    if (auto found = search({}, things, dimensions, bundles)) return found;
  return std::nullopt;
}

}  // namespace syncsim::drawing
