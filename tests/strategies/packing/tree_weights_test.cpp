// What trees should carry, where it is plain.

#include "strategies/packing/tree_weights.h"

#include <doctest/doctest.h>

namespace syncsim::strategy::tree_weights_test {
namespace {

constexpr int kRounds = 2000;

}  // namespace

TEST_CASE("trees on links of their own carry in proportion to the links") {
  // w0 x 1 s = w1 x 2 s and w0 + w1 = 2
  const WeighedTrees result = balanced({{{0, 1}}, {{1, 2}}}, {0, 0}, kRounds);
  CHECK(result.fullest == doctest::Approx(4.0 / 3).epsilon(0.01));
  CHECK(result.weights[0] == doctest::Approx(4.0 / 3).epsilon(0.01));
  CHECK(result.weights[1] == doctest::Approx(2.0 / 3).epsilon(0.01));
}

TEST_CASE("groups keep their sums, whatever the others' trees cost") {
  // Resource 0 serves both groups, resource 1 one of them: 1 + w = 2 - w.
  const WeighedTrees result = balanced({{{0, 1}}, {{0, 1}}, {{1, 1}}}, {0, 1, 1}, kRounds);
  CHECK(result.weights[0] == doctest::Approx(1));
  CHECK(result.weights[1] + result.weights[2] == doctest::Approx(2));
  CHECK(result.fullest == doctest::Approx(1.5).epsilon(0.01));
}

TEST_CASE("a tree that another of its group outdoes is given up") {
  const WeighedTrees result = balanced({{{0, 1}}, {{0, 2}}}, {0, 0}, kRounds);
  CHECK(result.weights[1] == 0);
  CHECK(result.fullest == doctest::Approx(2));
}

TEST_CASE("trees that are as good as can be stay as they are") {
  const WeighedTrees result = balanced({{{0, 1}}, {{1, 1}}}, {0, 0}, kRounds);
  CHECK(result.weights[0] == doctest::Approx(1));
  CHECK(result.fullest == doctest::Approx(1));
}

}  // namespace syncsim::strategy::tree_weights_test
