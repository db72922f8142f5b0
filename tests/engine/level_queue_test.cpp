#include "sim/engine/level_queue.h"

#include <doctest/doctest.h>

#include <set>
#include <utility>
#include <vector>

#include "tests/engine/random_numbers.h"

namespace syncsim::engine::level_queue_test {

TEST_CASE("the lowest level is first, of equal levels the lower resource") {
  LevelQueue queue(4);
  CHECK(queue.empty());
  queue.push(2, 5);
  queue.push(3, 1);
  queue.push(0, 5);
  CHECK(queue.pop() == 3);
  CHECK(queue.pop() == 0);
  CHECK(queue.pop() == 2);
  CHECK(queue.empty());
}

TEST_CASE("the queue agrees with a sorted set under random changes") {
  constexpr std::uint32_t kResources = 40;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Draw draw(seed);
    LevelQueue queue(kResources);
    std::set<std::pair<double, ResourceIndex>> sorted;
    std::vector<bool> waits(kResources, false);
    for (int step = 0; step < 500; ++step) {
      const ResourceIndex r = draw.below(kResources);
      if (!waits[r] && draw.chance(70)) {
        const double level = draw.below(20);
        waits[r] = true;
        sorted.insert({level, r});
        queue.push(r, level);
      } else if (!sorted.empty()) {
        const ResourceIndex first = queue.pop();
        REQUIRE(first == sorted.begin()->second);
        sorted.erase(sorted.begin());
        waits[first] = false;
      }
      REQUIRE(queue.empty() == sorted.empty());
    }
  }
}

}  // namespace syncsim::engine::level_queue_test
