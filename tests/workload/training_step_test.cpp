// Steps in closed form: L layers alike, on ranks of a star, where a ring's allreduce of s bytes
// takes 2 (n-1)/n s / B.

#include "sim/workload/training_step.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/schedule/check.h"
#include "tests/support/runs.h"

namespace syncsim::testing::training_step_test {
namespace {

constexpr Time kMillisecond{1'000'000'000};

// Layers of `megabytes` each, in one tensor; forward 1 ms and backward 2 ms.
Model uniform(int layers, double megabytes) {
  Model model;
  model.name = "uniform";
  for (int i = 0; i < layers; ++i)
    model.layers.push_back(
        {"layer" + std::to_string(i),
         kMillisecond,
         {2 * kMillisecond.ps},
         {{"w" + std::to_string(i), {static_cast<std::int64_t>(megabytes * 1e6)}}}});
  return model;
}

struct Run {
  PlannedSteps planned;
  Timeline timeline;

  // Milliseconds from the end of backward of one step to that of the next.
  double step(std::size_t index) const { return (end(index) - end(index - 1)) / 1e9; }
  double end(std::size_t index) const {
    std::int64_t last = 0;
    for (const auto& rank : planned.plan.ranks[index])
      last = std::max(last, timeline.ops[rank.backward_end].finish.ps);
    return static_cast<double>(last);
  }
};

struct Job {
  Model model;
  StepOptions options = {};
  std::string strategy = "ring";
  std::vector<std::vector<RankPace>> paces = {};
  double gigabytes_per_second = 1;
  int ranks = 4;
};

Run run(const Job& job) {
  const Topology machine(star(job.ranks, gigabytes(job.gigabytes_per_second)));
  const Strategy& strategy = strategies().at(job.strategy);
  const Parameters parameters(strategy.name, strategy.parameters, {});
  Run result;
  result.planned = plan_steps({.topology = machine,
                               .ranks = machine.ranks(),
                               .model = job.model,
                               .strategy = strategy,
                               .parameters = parameters,
                               .options = job.options,
                               .paces = job.paces});
  const auto violation = check(result.planned.schedule);
  CHECK_MESSAGE(!violation, violation->message);
  result.timeline = simulated(result.planned.schedule, machine);
  return result;
}

Bucketing rule(BucketRule rule) { return {.rule = rule}; }

}  // namespace

TEST_CASE("without overlap a step is compute, then communication, then the update") {
  // 4 layers of 10 MB: 60 ms on the wire; 4 + 8 ms of compute, 5 ms of update.
  for (const BucketRule each : {BucketRule::one, BucketRule::per_tensor}) {
    const Run steps =
        run({uniform(4, 10),
             {.bucketing = rule(each), .update = {5 * kMillisecond.ps}, .overlap = false}});
    CHECK(steps.step(1) == doctest::Approx(4 + 8 + 60 + 5).epsilon(1e-9));
    CHECK(steps.step(2) == doctest::Approx(4 + 8 + 60 + 5).epsilon(1e-9));
  }
}

TEST_CASE("communication hides behind a longer backward, but for the last bucket") {
  // 1 MB takes 1.5 ms, backward 2 ms a layer.
  const Run steps = run({uniform(4, 1), {.bucketing = rule(BucketRule::per_tensor)}});
  CHECK(steps.step(1) == doctest::Approx(4 + 8 + 1.5).epsilon(1e-9));
  CHECK(steps.step(2) == doctest::Approx(4 + 8 + 1.5).epsilon(1e-9));
}

TEST_CASE("where the wire is slower, it works from the first gradient on") {
  // 10 MB take 15 ms; the first gradient is there after 2 ms.
  const Run steps = run({uniform(4, 10), {.bucketing = rule(BucketRule::per_tensor)}});
  CHECK(steps.step(2) == doctest::Approx(4 + 2 + 60).epsilon(1e-9));
}

TEST_CASE("buckets on channels of their own move as many bytes in as much time") {
  const Run steps =
      run({uniform(4, 10),
           {.bucketing = rule(BucketRule::per_tensor), .order = BucketOrder::concurrent}});
  CHECK(steps.step(2) == doctest::Approx(4 + 2 + 60).epsilon(1e-9));
}

TEST_CASE("the next forward may begin with what has arrived") {
  // Per tensor in order: the first layer's gradients are the last to come, so nothing is won.
  StepOptions options{.bucketing = rule(BucketRule::per_tensor),
                      .update_at = UpdateTime::bucket,
                      .early_forward = true};
  CHECK(run({uniform(4, 10), options}).step(2) == doctest::Approx(4 + 2 + 60).epsilon(1e-9));
  // First things first: their sums are there earlier, and forward hides behind the rest.
  options.order = BucketOrder::priority;
  CHECK(run({uniform(4, 10), options}).step(2) < 4 + 2 + 60 - 1.5);
}

TEST_CASE("a step waits for its slowest rank, whose compute is not delayed by others") {
  const std::vector<RankPace> slow = {{}, {}, {.factor = 1.5}, {}};
  const Run steps =
      run({uniform(4, 1), {.bucketing = rule(BucketRule::one)}, "ring", {slow, slow, slow}});
  CHECK(steps.step(2) == doctest::Approx(1.5 * 12 + 6).epsilon(1e-9));
}

TEST_CASE("a pause of one rank delays the step that it is in") {
  std::vector<std::vector<RankPace>> paces(3, std::vector<RankPace>(4));
  paces[1][3].pause = {7 * kMillisecond.ps};
  const Run steps = run({uniform(4, 1), {.bucketing = rule(BucketRule::one)}, "ring", paces});
  CHECK(steps.step(1) == doctest::Approx(12 + 6 + 7).epsilon(1e-9));
  CHECK(steps.step(2) == doctest::Approx(12 + 6).epsilon(1e-9));
}

TEST_CASE("horovod's buckets leave at cycles") {
  // Cycles of 3 ms; gradients at 2, 4, 6, 8 ms go at 3, 6, 6, 9 ms; 1 MB takes 1.5 ms, and what
  // shares a cycle is one message.
  const Run steps =
      run({uniform(4, 1),
           {.bucketing = {.rule = BucketRule::horovod, .cycle = {3 * kMillisecond.ps}}}});
  REQUIRE(steps.planned.plan.buckets.size() == 3);
  CHECK(steps.step(2) == doctest::Approx(4 + 9 + 1.5).epsilon(1e-9));
}

TEST_CASE("sharded gradients: half the sum before the update, half after it") {
  // Reduce-scatter of 40 MB 30 ms, each rank updates a quarter, all-gather 30 ms.
  const Run steps = run({uniform(4, 10),
                         {.bucketing = rule(BucketRule::one),
                          .sharding = Sharding::gradients,
                          .update = {4 * kMillisecond.ps}}});
  CHECK(steps.step(2) == doctest::Approx(12 + 30 + 1 + 30).epsilon(1e-9));
}

TEST_CASE("sharded parameters are gathered twice and gradients scattered once") {
  // One bucket: 30 ms before forward, again before backward (during forward, as that is one ahead),
  // 30 ms after it.
  const Run steps =
      run({uniform(4, 10), {.bucketing = rule(BucketRule::one), .sharding = Sharding::parameters}});
  CHECK(steps.step(2) == doctest::Approx(8 + 3 * 30).epsilon(1e-9));
}

TEST_CASE("sharded parameters are gathered ahead as far as is asked") {
  // Gathers and scatters of 0.5 MB take 0.375 ms, one behind the other.
  StepOptions options{.bucketing = rule(BucketRule::per_tensor), .sharding = Sharding::parameters};
  const double ahead = run({uniform(4, 0.5), options}).step(2);
  options.prefetch = 0;
  const double at_need = run({uniform(4, 0.5), options}).step(2);
  CHECK(at_need == doctest::Approx(12 + 8 * 0.375 + 4 * 0.375).epsilon(1e-9));
  CHECK(ahead < at_need);
  CHECK(ahead >= 12 + 2 * 0.375 - 1e-9);
}

TEST_CASE("one rank has nothing to send") {
  Job job{uniform(3, 10), {.bucketing = rule(BucketRule::per_tensor)}};
  job.ranks = 1;
  CHECK(run(job).step(2) == doctest::Approx(9).epsilon(1e-9));
}

TEST_CASE("a strategy that cannot do the collective is refused") {
  Job job{uniform(2, 1), {.sharding = Sharding::gradients}, "chain"};
  CHECK_THROWS_WITH(run(job),
                    "chain does no reduce-scatter; choose another strategy, or no sharding");
}

}  // namespace syncsim::testing::training_step_test
