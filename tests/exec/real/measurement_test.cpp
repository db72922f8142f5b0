#include <doctest/doctest.h>

#include "sim/exec/real/real_executor.h"

namespace syncsim::measurement_test {

TEST_CASE("the median is of an iteration that ran, the lower one of two in the middle") {
  Measurement run;
  run.times = {{50}, {10}, {40}, {20}};
  CHECK(run.median() == Time{20});
  CHECK(median_of(run.times) == 3);
  CHECK(run.least() == Time{10});
  CHECK(run.most() == Time{50});
  CHECK(run.deviation() == Time{10});  // of 0, 10, 20, 30
  run.times.push_back({45});
  CHECK(run.median() == Time{40});
  CHECK(run.deviation() == Time{10});  // of 0, 5, 10, 20, 30
}

}  // namespace syncsim::measurement_test
