#include "sim/topology/drawing/shapes.h"

#include <doctest/doctest.h>

#include "sim/topology/drawing/layout.h"

namespace syncsim::drawing::shapes_test {

TEST_CASE("boxes overlap by the root of the area they share, not where they touch") {
  const Box box = box_around({0, 0}, 4, 4);
  CHECK(overlap(box, box_around({2, 2}, 4, 4)) == doctest::Approx(2));
  CHECK(overlap(box, box_around({4, 0}, 4, 4)) == 0);
  CHECK(overlap(box, box_around({9, 0}, 4, 4)) == 0);
}

TEST_CASE("a box covers what it is told to, and nothing before") {
  Box box;
  box.cover({1, 2});
  CHECK(box.low.x == 1);
  CHECK(box.high.y == 2);
  box.cover({-1, 5});
  CHECK(box.low.x == -1);
  CHECK(box.high.x == 1);
  CHECK(box.high.y == 5);
}

TEST_CASE("the length of a line within a box, where it passes, ends, or stays outside") {
  Bundle bundle;
  bundle.curves = {line({-10, 0}, {10, 0})};
  const Path path = path_of(bundle);
  CHECK(length_of(path) == doctest::Approx(20));
  CHECK(length_inside(box_around({0, 0}, 4, 4), path) == doctest::Approx(4));
  CHECK(length_inside(box_around({10, 0}, 4, 4), path) == doctest::Approx(2));
  CHECK(length_inside(box_around({0, 5}, 4, 4), path) == 0);
  CHECK(length_inside(box_around({50, 0}, 4, 4), path) == 0);
}

TEST_CASE("a cubic curve starts at its first control and ends at its last") {
  const Spot control[] = {{0, 0}, {0, 4}, {4, 4}, {4, 0}};
  CHECK(on_cubic(control, 0).y == 0);
  CHECK(on_cubic(control, 0.5).x == doctest::Approx(2));
  CHECK(on_cubic(control, 0.5).y == doctest::Approx(3));
  CHECK(on_cubic(control, 1).x == 4);
}

}  // namespace syncsim::drawing::shapes_test
