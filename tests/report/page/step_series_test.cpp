#include "sim/report/page/step_series.h"

#include <doctest/doctest.h>

namespace syncsim::testing::step_series_test {
namespace {

using Step = StepSeries::Step;

double bytes(const std::vector<Step>& steps, Time end) {
  double sum = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Time to = i + 1 < steps.size() ? steps[i + 1].from : end;
    sum += steps[i].rate * seconds(to - steps[i].from);
  }
  return sum;
}

// `count` steps of 1 us, of 1, 2, 3, 1, 2, 3, ... GB/s.
StepSeries sawtooth(std::int64_t count) {
  StepSeries series;
  for (std::int64_t i = 0; i < count; ++i)
    series.add({i * 1'000'000}, static_cast<double>(1 + i % 3) * 1e9);
  return series;
}

}  // namespace

TEST_CASE("few steps stay as they are, without the one at the end") {
  StepSeries series;
  series.add({0}, 5);
  series.add({10}, 7);
  series.add({20}, 0);
  CHECK(series.until({20}) == std::vector<Step>{{{0}, 5}, {{10}, 7}});
  CHECK(series.quantum().ps == 0);
}

TEST_CASE("steps of the same rate are one, and of several at one time the last counts") {
  StepSeries series;
  series.add({0}, 5);
  series.add({10}, 5);
  series.add({20}, 6);
  series.add({20}, 8);
  CHECK(series.until({30}) == std::vector<Step>{{{0}, 5}, {{20}, 8}});
}

TEST_CASE("a step that is taken back at once leaves none") {
  StepSeries series;
  series.add({0}, 5);
  series.add({10}, 6);
  series.add({10}, 5);
  CHECK(series.until({30}) == std::vector<Step>{{{0}, 5}});
}

TEST_CASE("many steps become few averages that carry the same bytes") {
  for (const std::int64_t count : {513, 1'000, 12'345}) {
    const Time end{count * 1'000'000};
    const StepSeries series = sawtooth(count);
    const std::vector<Step> steps = series.until(end);
    CHECK(series.quantum().ps > 0);
    CHECK(steps.size() <= StepSeries::kMostSteps);
    CHECK(steps.size() >= StepSeries::kMostSteps / 4);
    std::int64_t gigabytes = 0;
    for (std::int64_t i = 0; i < count; ++i) gigabytes += 1 + i % 3;
    CHECK(bytes(steps, end) == doctest::Approx(static_cast<double>(gigabytes) * 1e3));
  }
}

TEST_CASE("what comes long after the other steps is kept, too") {
  StepSeries series = sawtooth(600);
  series.add({600'000'000}, 0);
  series.add({90'000'000'000}, 4e9);
  const Time end{91'000'000'000};
  CHECK(bytes(series.until(end), end) == doctest::Approx(600 * 2e3 + 4e9 * 1e-3));
}

}  // namespace syncsim::testing::step_series_test
