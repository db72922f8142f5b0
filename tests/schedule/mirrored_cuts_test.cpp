// Cuts that copies carry from place to place.

#include <doctest/doctest.h>

#include "sim/schedule/mirrored_cuts.h"

namespace syncsim::mirrored_cuts_test {

TEST_CASE("cuts are carried over in both directions, along chains of copies") {
  Cuts cuts = {{0, 3, 8}, {0, 8}, {0, 5, 8}};
  // Listed so that a single round is not enough.
  const std::vector<SlicePair> pairs = {{{1, 0, 8}, {2, 0, 8}}, {{0, 0, 8}, {1, 0, 8}}};
  mirror_cuts(cuts, pairs, 10);
  for (const auto& buffer : cuts) CHECK(buffer == std::vector<std::int64_t>{0, 3, 5, 8});
}

TEST_CASE("slices at other offsets get the cuts at theirs") {
  Cuts cuts = {{0, 2, 10}, {0, 10}};
  mirror_cuts(cuts, std::vector<SlicePair>{{{0, 0, 4}, {1, 6, 10}}}, 10);
  CHECK(cuts[0] == std::vector<std::int64_t>{0, 2, 10});
  CHECK(cuts[1] == std::vector<std::int64_t>{0, 8, 10});
}

TEST_CASE("rounds are bounded") {
  Cuts cuts = {{0, 1, 100}};
  // Each round carries the cut one further.
  const std::vector<SlicePair> shifted = {{{0, 0, 99}, {0, 1, 100}}};
  mirror_cuts(cuts, shifted, 3);
  CHECK(cuts[0] == std::vector<std::int64_t>{0, 1, 2, 3, 4, 100});
}

}  // namespace syncsim::mirrored_cuts_test
