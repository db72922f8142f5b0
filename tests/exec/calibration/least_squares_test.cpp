#include "sim/exec/calibration/least_squares.h"

#include <doctest/doctest.h>

#include <cmath>

namespace syncsim::least_squares_test {
namespace {

const std::vector<Coordinate> kFree = {{-10, 10}, {-10, 10}};

}  // namespace

TEST_CASE("a straight line through points is that of the normal equations") {
  // (0, 1), (1, 2), (2, 4): slope 3/2, at 0 5/6; squares 1/36 + 4/36 + 1/36.
  const Residuals line = [](const Vector& x) {
    return Vector{x[0] - 1, x[0] + x[1] - 2, x[0] + 2 * x[1] - 4};
  };
  const Minimum found = minimise(line, {7, -3}, kFree);
  CHECK(found.at[0] == doctest::Approx(5.0 / 6).epsilon(1e-9));
  CHECK(found.at[1] == doctest::Approx(1.5).epsilon(1e-9));
  CHECK(found.sum == doctest::Approx(1.0 / 6).epsilon(1e-9));
}

TEST_CASE("a curve is found from afar: the valley of Rosenbrock ends at (1, 1)") {
  const Residuals valley = [](const Vector& x) {
    return Vector{10 * (x[1] - x[0] * x[0]), 1 - x[0]};
  };
  const Minimum found = minimise(valley, {-1.2, 1}, kFree);
  CHECK(found.at[0] == doctest::Approx(1).epsilon(1e-5));
  CHECK(found.at[1] == doctest::Approx(1).epsilon(1e-5));
}

TEST_CASE("ranges hold, and the others find their place beside what stands at an end") {
  // (x + y - 3)^2 + (x - 2)^2 with x up to 1: y = 2.
  const Residuals bowl = [](const Vector& x) { return Vector{x[0] + x[1] - 3, x[0] - 2}; };
  const std::vector<Coordinate> space = {{0, 1}, {0, 10}};
  const Minimum found = minimise(bowl, {50, 0}, space);
  CHECK(found.at[0] == 1);
  CHECK(found.at[1] == doctest::Approx(2).epsilon(1e-9));
  CHECK(found.sum == doctest::Approx(1).epsilon(1e-9));
}

TEST_CASE("what changes nothing stays, and has no error") {
  const Residuals flat = [](const Vector& x) { return Vector{x[0] - 1, x[0] - 3}; };
  const Minimum found = minimise(flat, {0, 4}, kFree);
  CHECK(found.at[0] == doctest::Approx(2).epsilon(1e-9));
  CHECK(found.at[1] == 4);
  CHECK(!inverse_diagonal({{1, 1}, {0, 0}}));
}

TEST_CASE("slopes go the way that is said, and the other way where that would leave the range") {
  const Residuals kink = [](const Vector& x) { return Vector{std::abs(x[0])}; };
  CHECK(slopes(kink, {0}, {0}, {{-1, 1, 0.1}})[0][0] == doctest::Approx(1));
  CHECK(slopes(kink, {0}, {0}, {{-1, 1, -0.1}})[0][0] == doctest::Approx(-1));
  CHECK(slopes(kink, {0}, {0}, {{-1, 0, 0.1}})[0][0] == doctest::Approx(-1));
}

TEST_CASE("the inverse's diagonal: [[2, 1], [1, 2]] gives 2/3 twice") {
  // J'J of the columns (1, 1, 0) and (0, 1, 1).
  const auto diagonal = inverse_diagonal({{1, 1, 0}, {0, 1, 1}});
  REQUIRE(diagonal);
  for (const double entry : *diagonal) CHECK(entry == doctest::Approx(2.0 / 3));
}

}  // namespace syncsim::least_squares_test
