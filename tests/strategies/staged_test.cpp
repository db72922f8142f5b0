// Staged reductions of every strategy of the registry.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/schedule/check.h"
#include "tests/support/refusal.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::staged_test {
namespace {

using testing::Task;

// Calls act(machine, task) for every collective of every strategy, of 5 ranks with a CPU.
template <class Act>
void each_task(std::int64_t bytes, Act&& act) {
  const Topology machine =
      testing::with_abilities(testing::star_with_cpu(5, testing::gigabytes(16)).parts());
  for (const Strategy& strategy : strategies().rows()) {
    if (!testing::applies(strategy, machine)) continue;
    for (const CollectiveKind kind : strategy.collectives)
      act(machine, Task{std::string(strategy.name), testing::collective_of(kind, 5, bytes, 4)});
  }
}

std::string label_of(const Task& task) {
  return task.strategy + " " + std::string(to_string(task.collective.kind)) + " of " +
         to_string(task.collective.bytes);
}

// What a switch adds up is not staged.
bool over_wire(const Op& op) {
  return op.kind == OpKind::reduce && op.source != op.destination && !is_group(op.source);
}

}  // namespace

TEST_CASE("staged, every strategy is proved, and no reduce is over a wire") {
  for (const std::int64_t bytes : {1, 10'007})
    each_task(bytes, [](const Topology& machine, const Task& task) {
      INFO(label_of(task));
      const Schedule schedule = testing::staged(machine, task);
      const auto violation = check(schedule);
      CHECK((violation ? violation->message : "proved") == "proved");
      CHECK(std::none_of(schedule.ops.begin(), schedule.ops.end(), over_wire));
    });
}

TEST_CASE("staged, every strategy adds the same bytes and sends the same bytes") {
  each_task(10'007, [](const Topology& machine, const Task& task) {
    INFO(label_of(task));
    const auto count = [](const Schedule& schedule, bool sums) {
      std::int64_t bytes = 0;
      for (const Op& op : schedule.ops)
        if (sums ? op.kind == OpKind::reduce : op.source != op.destination)
          bytes += schedule.bytes(op).count;
      return bytes;
    };
    const Schedule staged = testing::staged(machine, task);
    const Schedule direct = testing::emitted(machine, task);
    CHECK(count(staged, true) == count(direct, true));
    CHECK(count(staged, false) == count(direct, false));
  });
}

TEST_CASE("where adding up costs nothing, staged reductions take the same time") {
  each_task(60'000, [](const Topology& machine, const Task& task) {
    INFO(label_of(task));
    const Schedule staged = testing::staged(machine, task);
    const std::int64_t difference =
        testing::simulated(staged, machine).finish.ps - testing::picoseconds(machine, task);
    CHECK(std::abs(difference) <= static_cast<std::int64_t>(staged.ops.size()));
  });
}

TEST_CASE(
    "staged, strategies in strategies are proved, on any number of ranks and in many chunks") {
  // Scratch of scopes grows while it is added to; its staging is as large from the first pass on.
  for (const int ranks : {5, 7}) {
    const Topology machine(testing::star(ranks, testing::gigabytes(16)));
    for (const std::string inner : {"recursive_doubling", "halving_doubling", "swing",
                                    "torus_rings", "hierarchical(groups=2)"})
      for (const std::string outer : {"recursive_doubling", "swing", "ring"})
        for (const std::string chunks : {"3", "64"}) {
          Task task{"hierarchical",
                    testing::collective_of(CollectiveKind::allreduce, ranks, 10'007)};
          task.parameters = {{"inner", inner},
                             {"outer", outer},
                             {"chunks", chunks},
                             {"groups", ranks == 7 ? "4" : "2"}};
          CAPTURE(ranks);
          CAPTURE(inner);
          CAPTURE(outer);
          CAPTURE(chunks);
          const auto violation = check(testing::staged(machine, task));
          CHECK((violation ? violation->message : "proved") == "proved");
        }
  }
}

}  // namespace syncsim::staged_test
