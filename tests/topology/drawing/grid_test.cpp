// Meshes and tori are known by their links.

#include "sim/topology/drawing/grid.h"

#include <doctest/doctest.h>

#include "tests/topology/drawing/pictures.h"

namespace syncsim::testing::grid_test {
namespace {

using Sides = std::vector<std::size_t>;

// {}: none.
Sides sides_of(const Topology::Parts& parts) {
  const drawing::Picture picture = folded(parts);
  const auto found = drawing::find_grid(picture.figures.size(), picture.bundles);
  return found ? found->sides : Sides{};
}

}  // namespace

TEST_CASE("a grid is found with its sides, whether it wraps or not") {
  CHECK(sides_of(grid({8}, true)) == Sides{8});
  CHECK(sides_of(grid({5}, false)) == Sides{5});
  CHECK(sides_of(grid({4, 3}, false)) == Sides{4, 3});
  CHECK(sides_of(grid({4, 4, 4}, true)) == Sides{4, 4, 4});
  CHECK(sides_of(grid({2, 2, 2, 2}, true)) == Sides{2, 2, 2, 2});
}

TEST_CASE("a grid that lacks a link is still one - with one across it is none") {
  Topology::Parts parts = grid({4, 4}, true);
  parts.links.resize(parts.links.size() - 2);
  CHECK(sides_of(parts) == Sides{4, 4});
  add_cable(parts, 0, 5, link_of(LinkKind::nvlink, gigabytes(45)));
  CHECK(sides_of(parts) == Sides{});
}

TEST_CASE("full meshes and loose gpus are no grids") {
  CHECK(sides_of(full_mesh(4)) == Sides{});
  CHECK(sides_of(direct_mesh(4, {{0, 1, 1}, {2, 3, 1}})) == Sides{});
}

TEST_CASE("a step goes along one dimension, and wraps from its end to its beginning") {
  const drawing::Grid grid{{4, 3}};
  CHECK(grid.place(7) == Sides{3, 1});
  CHECK(drawing::step_between(grid, 0, 1)->dimension == 0);
  CHECK(drawing::step_between(grid, 5, 1)->dimension == 1);
  CHECK(!drawing::step_between(grid, 5, 1)->wraps);
  CHECK(drawing::step_between(grid, 0, 8)->wraps);
  CHECK(!drawing::step_between(grid, 0, 2).has_value());
  CHECK(!drawing::step_between(grid, 0, 5).has_value());
  CHECK(!drawing::step_between({{2, 2}}, 0, 1)->wraps);
}

}  // namespace syncsim::testing::grid_test
