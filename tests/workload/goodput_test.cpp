// Goodput against closed forms: Young 1974, Daly 2006.

#include "sim/workload/goodput.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/workload/failure_times.h"

namespace syncsim::testing::goodput_test {
namespace {

constexpr Time s(std::int64_t count) { return {count * 1'000'000'000'000}; }
constexpr std::int64_t kDay = 86400;

// Steps of 1 s, 5 s a checkpoint, 20 s a recovery.
GoodputInput restoring(double mtbf, int every) {
  GoodputInput input;
  input.mtbf = mtbf;
  input.pace = [](int) { return StepPace{s(1), 1, 1}; };
  input.costs = {s(4), s(10), {every, s(5), s(6)}, true};
  input.horizon = s(40 * kDay);
  input.replicas = 20;
  return input;
}

double daly(double work, double write, double recovery, double mtbf) {
  return work / (std::exp(recovery / mtbf) * mtbf * (std::exp((work + write) / mtbf) - 1));
}

}  // namespace

TEST_CASE("gaps are exponential, and a seed's own") {
  CHECK(FailureTimes(0, 0).gap() == FailureTimes(0, 0).gap());
  CHECK(FailureTimes(0, 1).gap() != FailureTimes(1, 0).gap());
  FailureTimes gaps(7, 3);
  double sum = 0;
  int beyond = 0;
  constexpr int kGaps = 100'000;
  for (int i = 0; i < kGaps; ++i) {
    const double gap = gaps.gap();
    sum += gap;
    beyond += gap > 1 ? 1 : 0;
  }
  CHECK(sum / kGaps == doctest::Approx(1).epsilon(0.01));
  CHECK(static_cast<double>(beyond) / kGaps == doctest::Approx(std::exp(-1)).epsilon(0.01));
}

TEST_CASE("without failures checkpoints alone cost: k h / (k h + w)") {
  GoodputInput input = restoring(1e12, 20);
  input.horizon = s(25 * 1000);
  const Goodput result = goodput(input);
  CHECK(result.mean == doctest::Approx(20.0 / 25).epsilon(1e-12));
  CHECK(result.half_width == doctest::Approx(0));
  CHECK(result.failures == 0);
}

TEST_CASE("goodput is Daly's: failures, work again, failures of recoveries") {
  for (const double mtbf : {200.0, 1000.0, 20'000.0}) {
    const Goodput result = goodput(restoring(mtbf, 100));
    CHECK(result.mean == doctest::Approx(daly(100, 5, 20, mtbf)).epsilon(0.01));
    CHECK(result.half_width < 0.01 * result.mean);
  }
}

TEST_CASE("the best interval is near Young's sqrt(2 w M)") {
  constexpr double kMtbf = 4000;
  CHECK(young_interval(s(5), kMtbf, s(1)) == doctest::Approx(200));
  const double best = goodput(restoring(kMtbf, 200)).mean;
  for (const int every : {50, 800}) CHECK(goodput(restoring(kMtbf, every)).mean < best);
  // First order: w / tau + tau / (2 M) + R / M are lost.
  CHECK(best == doctest::Approx(1 - (5.0 / 200 + 200 / 8000.0 + 20 / 4000.0)).epsilon(0.01));
}

TEST_CASE("a run that nobody mends ends with its first failure") {
  GoodputInput input = restoring(1e6, 0);
  input.pace = [](int lost) {
    return lost == 0 ? std::optional(StepPace{s(1), 1, 1}) : std::nullopt;
  };
  input.costs.goes_back = false;
  input.horizon = s(1'000'000);
  input.replicas = 1000;
  // The mean of min(gap, horizon) over the horizon: 1 - 1/e.
  const Goodput result = goodput(input);
  CHECK(result.mean == doctest::Approx(1 - std::exp(-1)).epsilon(0.05));
  CHECK(std::abs(result.mean - (1 - std::exp(-1))) < 2 * result.half_width);
  CHECK(result.failures == doctest::Approx(1 - std::exp(-1)).epsilon(0.05));
}

TEST_CASE("lost parts slow the run until they are back") {
  GoodputInput input = restoring(1000, 0);
  input.costs = {};
  input.pace = [](int lost) {
    return lost <= 1 ? std::optional(StepPace{s(1 + lost), 1, lost == 0 ? 1.0 : 1e-9})
                     : std::nullopt;
  };
  input.repair = s(1000);
  // Half of the time one is away, and steps take twice as long.
  CHECK(goodput(input).mean == doctest::Approx(0.75).epsilon(0.01));
  input.repair.reset();
  CHECK(goodput(input).mean == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE("a run that has nothing left goes on after the repair, however long it is followed") {
  GoodputInput input = restoring(3600, 0);
  input.costs = {};
  input.pace = [](int lost) {
    return lost == 0 ? std::optional(StepPace{s(1), 1, 1}) : std::nullopt;
  };
  input.repair = s(600);
  const double up = 3599.5 / 4200;  // of each failure half a step is cut short
  for (const std::int64_t days : {4, 40}) {
    input.horizon = s(days * kDay);
    const Goodput result = goodput(input);
    CHECK(std::abs(result.mean - up) < 1.5 * result.half_width);
    CHECK(result.half_width < 0.02);
    CHECK(result.failures / static_cast<double>(days) ==
          doctest::Approx(kDay / 4200.0).epsilon(0.05));
  }
  // It is noticed meanwhile; what counts no more is read again, behind the repair.
  input.costs = {s(4), s(10), {}, false};
  CHECK(goodput(input).mean == doctest::Approx(3599.5 / 4210).epsilon(0.01));
  input.costs = {s(4), s(10), {100, {}, s(400)}, true};
  CHECK(goodput(input).mean == doctest::Approx(3550.0 / 4610).epsilon(0.02));
}

TEST_CASE("a failure during a recovery is no part that comes back") {
  GoodputInput input = restoring(1000, 0);
  input.costs = {s(500), {}, {}, false};
  input.repair = s(1);
  // Each recovery takes e^(R/M) - 1 of M on the average, with those that failures begin anew.
  CHECK(goodput(input).mean == doctest::Approx(std::exp(-0.5)).epsilon(0.01));
}

TEST_CASE("replicas are their own, and the same every time") {
  const GoodputInput input = restoring(1000, 100);
  CHECK(goodput_run(input, 3).goodput == goodput_run(input, 3).goodput);
  CHECK(goodput_run(input, 3).goodput != goodput_run(input, 4).goodput);
}

TEST_CASE("what only slows a run is worked with until it is noticed, or for good") {
  GoodputInput input;
  input.mtbf = 10'000;
  input.pace = [](int lost) { return StepPace{lost > 0 ? s(2) : s(1)}; };
  input.meanwhile = StepPace{s(2)};
  input.costs.detect = s(600);
  input.costs.restart = s(600);
  input.horizon = s(400'000);
  input.replicas = 40;
  // Nothing is done, and a part is back after 1000 s: half of the work is lost meanwhile.
  input.recovers = false;
  input.repair = s(1000);
  const Goodput none = goodput(input);
  CHECK(none.mean == doctest::Approx(1 - 0.5 * (1 - std::exp(-0.1))).epsilon(0.01));
  // Worked around at the full pace: 300 of 600 s are lost until it is noticed, and 600 by then.
  input.recovers = true;
  input.repair.reset();
  input.pace = [](int) { return StepPace{s(1)}; };
  const Goodput around = goodput(input);
  CHECK(around.mean ==
        doctest::Approx(0.5 + 0.5 * std::exp(-0.06) - std::exp(-0.06) + std::exp(-0.12))
            .epsilon(0.01));
}

}  // namespace syncsim::testing::goodput_test
