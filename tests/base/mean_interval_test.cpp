#include "sim/base/mean_interval.h"

#include <doctest/doctest.h>

#include <cmath>

namespace syncsim::testing::mean_interval_test {

TEST_CASE("quantiles of Student's distribution are those of the tables") {
  CHECK(student_quantile(0.975, 1) == doctest::Approx(12.7062047362).epsilon(1e-10));
  CHECK(student_quantile(0.975, 4) == doctest::Approx(2.7764451052).epsilon(1e-10));
  CHECK(student_quantile(0.975, 30) == doctest::Approx(2.0422724563).epsilon(1e-10));
  CHECK(student_quantile(0.975, 1e6) == doctest::Approx(1.9599664).epsilon(1e-6));
}

// mean 14, squares 4 + 1 + 0 + 1 + 4 = 10: s = sqrt(10/4), half = 2.776445 s / sqrt(5).

TEST_CASE("of two values one apart the interval's half is t / 2, as is known of t = 12.7") {
  CHECK(half_of_95_percent(std::sqrt(0.5), 2) == doctest::Approx(6.3531023681).epsilon(1e-10));
}

}  // namespace syncsim::testing::mean_interval_test
