#include "sim/engine/lowest_level.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/engine/random_numbers.h"

namespace syncsim::engine::lowest_level_test {
namespace {

constexpr double kDropped = std::numeric_limits<double>::infinity();

TEST_CASE("the first limit is always the lowest, while limits are raised and dropped") {
  for (std::uint32_t most = 0; most < 40; ++most) {
    Draw draw(most);
    LowestLevel limits(most);
    std::vector<double> levels;
    for (std::uint32_t id = 0; id < most; ++id) {
      levels.push_back(draw.below(20));
      limits.add(levels.back(), id);
    }
    limits.build();
    while (!limits.empty()) {
      const LowestLevel::Limit first = limits.first();
      REQUIRE(first.level == *std::min_element(levels.begin(), levels.end()));
      REQUIRE(first.level == levels[first.id]);
      const double next = draw.chance(50) ? first.level + draw.below(10) : kDropped;
      levels[first.id] = next;
      next == kDropped ? limits.drop_first() : limits.raise_first(next);
    }
    REQUIRE(std::count(levels.begin(), levels.end(), kDropped) == most);
  }
}

}  // namespace
}  // namespace syncsim::engine::lowest_level_test
