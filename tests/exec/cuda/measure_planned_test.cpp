// The loop around a graph's launches: what is timed, drawn, watched.

#include "tests/support/graph_runs.h"
#include "tests/support/real_runs.h"
#include "tests/support/schedules.h"

namespace syncsim::testing::measure_planned_test {
namespace {

Schedule chain() {
  HandMade made(collective_of(CollectiveKind::broadcast, 3, 64), 1);
  made.copy(0, 1, 0);
  made.copy(1, 2, 0);
  made.edge(0, 1);
  return made.build();
}

}  // namespace

TEST_CASE("times are of the launches without stamps, and the timeline ends at their median") {
  const Schedule schedule = chain();
  const Measurement run = planned(schedule, made_up_devices(3), {.iterations = 4, .warmup = 2});
  CHECK(run.times.size() == 4);
  CHECK(run.workers == "3 devices");
  CHECK(run.timeline.finish == run.median());
  CHECK(run.timeline.ops.back().finish == run.median());
  CHECK(out_of_order(schedule, run.timeline) == "");
}

TEST_CASE("stamps become times from the earliest, and none before what it waits for") {
  const Schedule schedule = chain();
  const GraphPlan stamped = with_stamps(Planned(schedule, made_up_devices(3)).plan);
  // The second device's clock is 30 behind.
  const Timeline timeline = timeline_of(schedule, stamped, {{1'000}, {1'100}, {1'070}, {1'200}});
  CHECK(timeline.ops[0].start == Time{0});
  CHECK(timeline.ops[0].finish == Time{100});
  CHECK(timeline.ops[1].ready == Time{100});
  CHECK(timeline.ops[1].start == Time{100});  // not 70
  CHECK(timeline.ops[1].finish == Time{200});
  CHECK(timeline.finish == Time{200});
  const Timeline half = drawn_to(timeline, {100});
  CHECK(half.ops[0].finish == Time{50});
  CHECK(half.ops[1].start == Time{50});
  CHECK(half.finish == Time{100});
  CHECK(half.ops[1].finish == Time{100});
}

TEST_CASE("a watch that says stop ends a run between two launches") {
  struct Stop : Watch {
    int looks = 0;
    bool goes_on(const Progress& progress) override {
      CHECK(progress.total == 7);
      return ++looks < 4;
    }
  } stop;
  const RealOptions options{.iterations = 5, .warmup = 2, .watch = &stop};
  CHECK_THROWS_AS(planned(chain(), made_up_devices(3), options), Interrupted);
  CHECK(stop.looks == 4);
}

}  // namespace syncsim::testing::measure_planned_test
