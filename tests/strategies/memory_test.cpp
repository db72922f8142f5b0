// What schedules take in memory: all that their large arrays have reserved, used or not.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/machines.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::memory_test {
namespace {

template <class Items>
std::size_t reserved(const Items& items) {
  return items.capacity() * sizeof(typename Items::value_type);
}

std::size_t bytes_of(const Schedule& schedule) {
  std::size_t bytes = reserved(schedule.ops) + reserved(schedule.edges);
  for (const Buffer& buffer : schedule.buffers) bytes += reserved(buffer.boundaries);
  return bytes;
}

TEST_CASE("a schedule takes at most 64 bytes an op, dependencies and chunks included") {
  for (const std::string strategy :
       {"ring", "distributed", "central_gpu", "double_binary_tree", "one_shot"})
    for (const int ranks : {4, 16, 64, 128, 150}) {
      CAPTURE(strategy);
      CAPTURE(ranks);
      const Topology machine(testing::star(ranks, {16e9}));
      const Collective allreduce =
          testing::collective_of(CollectiveKind::allreduce, ranks, 16'000'000);
      const Schedule schedule = testing::emitted(machine, {strategy, allreduce});
      REQUIRE(schedule.ops.size() >= static_cast<std::size_t>(ranks));
      CHECK(bytes_of(schedule) <= 64 * schedule.ops.size());
    }
}

}  // namespace
}  // namespace syncsim::memory_test
