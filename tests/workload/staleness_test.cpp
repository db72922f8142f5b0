// Stale synchronous steps against their definition: a worker may begin clock t when every worker
// has finished clock t - s - 1. The network is of next to no cost.

#include "sim/workload/staleness.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/schedule/check.h"
#include "sim/workload/key_value_store.h"
#include "sim/workload/training_step.h"
#include "tests/support/runs.h"

namespace syncsim::testing::staleness_test {
namespace {

constexpr int kRanks = 4;
constexpr int kSteps = 24;
constexpr double kStep = 12;  // ms, as are all times here

// One layer of 4 B: its transfers take some ns.
Model tiny() {
  Model model;
  model.name = "tiny";
  model.layers.push_back({"layer", parse_time("4 ms"), parse_time("8 ms"), {{"w", {4}}}});
  return model;
}

struct Job {
  int staleness = 0;
  double slow = 1;   // rank 3 takes so many times as long
  double pause = 0;  // of rank 3, before its forward of step 5
  Time update = {};
  Reduction reduction = Reduction::on_arrival;
};

struct Run {
  PlannedSteps planned;
  Timeline timeline;

  const StepPlan::RankOps& ops(int step, int rank) const {
    return planned.plan.ranks[static_cast<std::size_t>(step)][static_cast<std::size_t>(rank)];
  }
  double begin(int step, int rank) const {
    return static_cast<double>(timeline.ops[ops(step, rank).computes.front()].start.ps) / 1e9;
  }
  double end(int step, int rank) const {
    return static_cast<double>(timeline.ops[ops(step, rank).backward_end].finish.ps) / 1e9;
  }
  double all_ended(int step) const {
    double last = 0;
    for (int rank = 0; rank < kRanks; ++rank) last = std::max(last, end(step, rank));
    return last;
  }
};

Run run(const Job& job) {
  const Topology machine(star(kRanks, gigabytes(1)));
  const Model model = tiny();
  const Strategy& strategy = strategies().at("ring");
  const Parameters parameters(strategy.name, strategy.parameters, {});
  const StepOptions options{.steps = kSteps};
  const StoreOptions store{
      .type = StoreType::device, .update = job.update, .staleness = job.staleness};
  std::vector<std::vector<RankPace>> paces(kSteps, std::vector<RankPace>(kRanks));
  for (auto& step : paces) step[3].factor = job.slow;
  paces[5][3].pause = {static_cast<std::int64_t>(job.pause * 1e9)};
  Run result;
  result.planned = plan_steps({.topology = machine,
                               .ranks = machine.ranks(),
                               .model = model,
                               .strategy = strategy,
                               .parameters = parameters,
                               .options = options,
                               .paces = paces,
                               .store = &store},
                              {}, job.reduction);
  const auto violation = check(result.planned.schedule);
  CHECK_MESSAGE(!violation, violation->message);
  result.timeline = simulated(result.planned.schedule, machine);
  return result;
}

doctest::Approx about(double milliseconds) { return doctest::Approx(milliseconds).epsilon(1e-5); }

}  // namespace

TEST_CASE(
    "no worker begins a step before all have finished the one s + 1 before, and some do then") {
  for (const int staleness : {0, 1, 3}) {
    const Run steps = run({.staleness = staleness, .slow = 2});
    for (int step = staleness + 1; step < kSteps; ++step)
      for (int rank = 0; rank < kRanks; ++rank)
        CHECK(steps.begin(step, rank) >= steps.all_ended(step - staleness - 1));
    CHECK(steps.begin(kSteps - 1, 0) == about(steps.all_ended(kSteps - 2 - staleness)));
  }
}

TEST_CASE("the fast run ahead by s + 1 steps at most, and then at the pace of the slowest") {
  for (const int staleness : {1, 4}) {
    const Run steps = run({.staleness = staleness, .slow = 2});
    CHECK(steps.end(staleness, 0) == about(kStep * (staleness + 1)));
    CHECK(steps.end(kSteps - 1, 0) - steps.end(kSteps - 2, 0) == about(2 * kStep));
  }
}

TEST_CASE("without a limit each runs at its own pace") {
  const Run steps = run({.staleness = kUnboundedStaleness, .slow = 2});
  CHECK(steps.end(kSteps - 1, 0) == about(kStep * kSteps));
  CHECK(steps.end(kSteps - 1, 3) == about(2 * kStep * kSteps));
}

TEST_CASE("a pause of one worker delays the others by what is beyond s steps") {
  for (const int staleness : {0, 1, 3})
    for (const double beyond : {-5.0, 0.0, 7.0}) {
      const double pause = std::max(0.0, staleness * kStep + beyond);
      const Run steps = run({.staleness = staleness, .pause = pause});
      const double late = std::max(0.0, pause - staleness * kStep);
      CHECK(steps.end(kSteps - 1, 0) == about(kStep * kSteps + late));
      CHECK(steps.end(kSteps - 1, 3) == about(kStep * kSteps + pause));
    }
}

TEST_CASE("the updater runs at each push, and its worker waits for it") {
  const Run steps = run({.staleness = kUnboundedStaleness, .update = parse_time("3 ms")});
  CHECK(steps.end(kSteps - 1, 0) == about(kStep * kSteps + 3 * (kSteps - 1)));
}

TEST_CASE("so it is where messages are staged before they are added") {
  const Run steps =
      run({.staleness = kUnboundedStaleness, .slow = 2, .reduction = Reduction::staged});
  CHECK(steps.end(kSteps - 1, 0) == about(kStep * kSteps));
}

TEST_CASE("a pull that comes before the pushes that it needs is a fault of the caller") {
  const Topology machine(star(2, gigabytes(1)));
  const Collective collective{CollectiveKind::allreduce, 2, {8}};
  CHECK_THROWS_WITH(build_schedule(collective, {"gpu0", "gpu1"},
                                   [&](ScheduleBuilder& builder) {
                                     const StoreOptions options{.type = StoreType::device,
                                                                .staleness = 1};
                                     KeyValueStore store(machine, machine.ranks(), machine.ranks(),
                                                         options, {{8}}, builder);
                                     const Slice value = builder.data();
                                     for (int clock = 0; clock < 2; ++clock) {
                                       store.push(0, 0, value);
                                       store.pull(0, 0, value);
                                     }
                                   }),
                    doctest::Contains("a pull before the pushes that it waits for"));
}

}  // namespace syncsim::testing::staleness_test
