// What holds of every run whose links change.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/analysis/bounds.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::events_test {
namespace {

using testing::collective_of;
using testing::emitted;
using testing::shelf_machine;
using testing::Task;

// Calls act(machine, task) for every strategy, of its first collective, on the shipped machines.
template <class Act>
void each_run(std::int64_t bytes, Act&& act) {
  for (const std::string name : {"pcie_4gpu", "pcie_8gpu", "dgx1v", "dgx2"}) {
    const Topology machine = testing::with_abilities(shelf_machine(name).parts());
    const int ranks = static_cast<int>(machine.ranks().size());
    for (const Strategy& strategy : strategies().rows()) {
      if (!testing::applies(strategy, machine)) continue;
      INFO(name << " " << strategy.name);
      act(machine, Task{std::string(strategy.name),
                        collective_of(strategy.collectives.front(), ranks, bytes)});
    }
  }
}

LinkEvent event(std::int64_t picoseconds, const std::string& edit) {
  return parse_link_event("at " + std::to_string(picoseconds) + " ps " + edit);
}

Timeline simulated(const Task& task, const EventfulMachine& machine) {
  ExecutionOptions options;
  options.changes = machine.changes;
  return testing::simulated(emitted(machine.start, task), machine.start, options);
}

void check_same(const Timeline& a, const Timeline& b) {
  REQUIRE(a.ops.size() == b.ops.size());
  for (std::size_t op = 0; op < a.ops.size(); ++op) {
    REQUIRE(a.ops[op].start == b.ops[op].start);
    REQUIRE(a.ops[op].finish == b.ops[op].finish);
  }
  for (std::size_t r = 0; r < a.resources.size(); ++r) {
    REQUIRE(a.resources[r].bytes == b.resources[r].bytes);
    REQUIRE(a.resources[r].capacity == b.resources[r].capacity);
    REQUIRE(a.resources[r].busy == b.resources[r].busy);
    REQUIRE(a.resources[r].saturated == b.resources[r].saturated);
  }
}

}  // namespace

TEST_CASE("an event at time 0 is the edit, to the bit") {
  each_run(1'000'000, [](const Topology& machine, const Task& task) {
    for (const std::string edit :
         {"link:gpu0-* bandwidth=7 GB/s", "scale link:gpu1-* bandwidth 0.3",
          "link:*0>* bandwidth=31 GB/s"}) {
      const Topology edited = apply_edits(machine, std::vector{parse_edit(edit)});
      const EventfulMachine eventful = with_events(machine, std::vector{event(0, edit)});
      check_same(simulated(task, eventful), testing::simulated(emitted(edited, task), edited));
    }
  });
}

TEST_CASE("an event at the finish or later is none, to the bit") {
  each_run(1'000'000, [](const Topology& machine, const Task& task) {
    const Timeline plain = testing::simulated(emitted(machine, task), machine);
    for (const std::int64_t after : {0, 1, 1'000'000}) {
      const LinkEvent late = event(plain.finish.ps + after, "scale link:* bandwidth 0");
      check_same(simulated(task, with_events(machine, std::vector{late})), plain);
    }
  });
}

TEST_CASE("an outage of all links costs its length, whenever it comes") {
  each_run(1'000'000, [](const Topology& machine, const Task& task) {
    const std::int64_t whole = testing::simulated(emitted(machine, task), machine).finish.ps;
    for (const std::int64_t part : {10, 3, 2}) {
      const std::vector events = {event(whole / part, "scale link:* bandwidth 0"),
                                  event(whole / part + 12'345'678, "scale link:* bandwidth 1")};
      const std::int64_t longer = simulated(task, with_events(machine, events)).finish.ps;
      CHECK(std::abs(longer - whole - 12'345'678) <= 2 * testing::depth(emitted(machine, task)));
    }
  });
}

TEST_CASE("twice the bandwidths at half the times: half the time") {
  each_run(1'000'000, [](const Topology& machine, const Task& task) {
    const std::int64_t whole = testing::simulated(emitted(machine, task), machine).finish.ps;
    const std::int64_t early = whole / 8 * 2;
    const std::int64_t late = whole / 4 * 2;
    const Topology fast = apply_edits(machine, std::vector{parse_edit("scale link:* bandwidth 2")});
    const std::vector slow_events = {event(early, "scale link:gpu0-* bandwidth 0.25"),
                                     event(late, "scale link:* bandwidth 0.5")};
    const std::vector fast_events = {event(early / 2, "scale link:gpu0-* bandwidth 0.25"),
                                     event(late / 2, "scale link:* bandwidth 0.5")};
    const std::int64_t slow = simulated(task, with_events(machine, slow_events)).finish.ps;
    const std::int64_t half = simulated(task, with_events(fast, fast_events)).finish.ps;
    CHECK(slow >= whole);  // equal where only channels with a maximum rate are left
    CHECK(std::abs(slow - 2 * half) <= 8 * testing::depth(emitted(machine, task)));
  });
}

TEST_CASE("no run beats the bound, whatever rises or falls, and no link passes its average") {
  each_run(1'000'000, [](const Topology& machine, const Task& task) {
    const std::int64_t whole = testing::simulated(emitted(machine, task), machine).finish.ps;
    for (const std::string factor : {"0", "0.5", "3", "20"}) {
      const std::vector events = {event(whole / 4, "scale link:* bandwidth " + factor),
                                  event(whole / 2, "scale link:gpu0-* bandwidth 4"),
                                  event(whole * 3, "scale link:* bandwidth 1")};
      const EventfulMachine eventful = with_events(machine, events);
      const Timeline timeline = simulated(task, eventful);
      const std::vector<NodeId> helpers = helpers_of(emitted(machine, task), machine);
      const LowerBound bound = lower_bound({.topology = eventful.start,
                                            .ranks = machine.ranks(),
                                            .collective = task.collective,
                                            .changes = eventful.changes,
                                            .helpers = helpers});
      CHECK(bound.seconds > 0);
      CHECK(bound.seconds <= seconds(timeline.finish) * (1 + 1e-12));
      for (const ResourceTotals& totals : timeline.resources)
        REQUIRE(totals.bytes <= totals.capacity * seconds(timeline.finish) * (1 + 1e-12));
    }
  });
}

}  // namespace syncsim::events_test
