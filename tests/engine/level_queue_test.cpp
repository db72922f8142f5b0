#include "sim/engine/level_queue.h"

#include <doctest/doctest.h>

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "tests/engine/random_numbers.h"

namespace syncsim::engine {

TEST_CASE("the lowest level is first, of equal levels the lower resource") {
  LevelQueue queue(4);
  CHECK(queue.empty());
  queue.set(2, 5);
  queue.set(3, 1);
  queue.set(0, 5);
  CHECK(queue.first() == 3);
  CHECK(queue.first_level() == 1);
  queue.set(3, 7);
  CHECK(queue.first() == 0);
  queue.remove(0);
  queue.remove(1);  // not there: nothing happens
  CHECK(queue.first() == 2);
  queue.clear();
  CHECK(queue.empty());
  CHECK_FALSE(queue.holds(2));
}

TEST_CASE("the queue agrees with a sorted set under random changes") {
  constexpr std::uint32_t kResources = 40;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Draw draw(seed);
    LevelQueue queue(kResources);
    std::set<std::pair<double, ResourceIndex>> sorted;
    std::vector<std::optional<double>> levels(kResources);
    for (int step = 0; step < 500; ++step) {
      const ResourceIndex r = draw.below(kResources);
      if (levels[r]) sorted.erase({*levels[r], r});
      if (draw.chance(70)) {
        levels[r] = draw.below(20);
        sorted.insert({*levels[r], r});
        queue.set(r, *levels[r]);
      } else {
        levels[r].reset();
        queue.remove(r);
      }
      REQUIRE(queue.empty() == sorted.empty());
      REQUIRE(queue.holds(r) == levels[r].has_value());
      if (sorted.empty()) continue;
      REQUIRE(queue.first() == sorted.begin()->second);
      REQUIRE(queue.first_level() == sorted.begin()->first);
    }
  }
}

}  // namespace syncsim::engine
