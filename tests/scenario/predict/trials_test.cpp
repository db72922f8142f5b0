#include "sim/scenario/predict/trials.h"

#include <doctest/doctest.h>

namespace syncsim::trials_test {

TEST_CASE("what makes calls slower is not asked where they are faster, and the other way round") {
  PredictedRange slow{.verdict = Verdict::unexplained};
  PredictedRange fast{.verdict = Verdict::faster};
  const Sample of_slow{.range = &slow, .asked = true};
  const Sample of_fast{.range = &fast, .asked = true};
  const Sample not_asked{.range = &slow, .asked = false};
  const auto concerns = [](const Sample& sample, const char* name) {
    return sample.concerns(suspects().at(name));
  };
  CHECK(concerns(of_slow, "slow_link"));
  CHECK(!concerns(of_fast, "slow_link"));
  CHECK(!concerns(of_slow, "faster_links"));
  CHECK(concerns(of_fast, "faster_links"));
  CHECK(concerns(of_slow, "other_launch"));
  CHECK(concerns(of_fast, "other_launch"));
  CHECK(!concerns(not_asked, "slow_link"));
  CHECK(!concerns(not_asked, "other_launch"));
}

}  // namespace syncsim::trials_test
