// Faults by hand: steps of 100 ms, a checkpoint of 20 ms every 5.

#include "sim/workload/fault_times.h"

#include <doctest/doctest.h>

#include "tests/support/refusal.h"

namespace syncsim::testing::fault_times_test {
namespace {

constexpr Time ms(std::int64_t count) { return {count * 1'000'000'000}; }

FaultInput at_step(std::int64_t step) {
  FaultInput input;
  input.step = step;
  input.at = ms(30);
  input.before = ms(100);
  input.after = ms(100);
  input.costs = {ms(1000), ms(3000), {5, ms(20), ms(10)}, true};
  return input;
}

}  // namespace

TEST_CASE("going back: the fault at step 7 with a checkpoint every 5 costs two steps") {
  const FaultTimes times = fault_times(at_step(7));
  CHECK(times.fault == ms(700 + 20 + 30));
  CHECK(times.noticed == ms(1750));
  CHECK(times.resumed == ms(1750 + 3000 + 10));
  CHECK(times.goes_on_at == 5);
  CHECK(times.again() == 2);
  CHECK(times.caught_up == ms(4760 + 300));
  // 30 ms of the step in hand, what the recovery takes, two steps again.
  CHECK(times.lost == ms(30 + 1000 + 3000 + 10 + 200));
}

TEST_CASE("right behind a checkpoint nothing is done again, before the first all is") {
  CHECK(fault_times(at_step(10)).again() == 0);
  const FaultTimes early = fault_times(at_step(4));
  CHECK(early.again() == 4);
  CHECK(early.resumed == ms(430 + 1000 + 3000));  // nothing to read
}

TEST_CASE("without checkpoints a run that goes back begins anew, others lose the step in hand") {
  FaultInput input = at_step(7);
  input.costs.checkpoints = {};
  CHECK(fault_times(input).again() == 7);
  input.costs.goes_back = false;
  CHECK(fault_times(input).again() == 0);
  CHECK(fault_times(input).lost == ms(30 + 4000));
}

TEST_CASE("slower steps after the recovery count until the step in hand is done") {
  FaultInput input = at_step(7);
  input.costs.goes_back = false;
  input.after = ms(150);
  CHECK(fault_times(input).lost == ms(30 + 4000 + 50));
}

TEST_CASE("what nobody mends goes on as it can, or never") {
  FaultInput input = at_step(7);
  input.after.reset();
  CHECK(fault_times(input).fault == ms(750));
  CHECK(!fault_times(input).lost);
  input.limps = Limping{ms(140), ms(200)};
  CHECK(fault_times(input).lost == ms(40));
  CHECK(fault_times(input).caught_up == ms(720 + 140));
}

TEST_CASE("steps limp on until the fault is noticed") {
  FaultInput input = at_step(7);
  input.costs.goes_back = false;
  input.limps = Limping{ms(140), ms(200)};
  // Steps 7, 8 and 9 end at 860, 1060 and 1260, the checkpoint at 1280, 10 and 11 at 1480 and 1680.
  const FaultTimes times = fault_times(input);
  CHECK(times.noticed == ms(1750));
  CHECK(times.in_hand == 12);
  CHECK(times.caught_up == ms(1750 + 3000 + 100));
  CHECK(times.lost == ms(4850 - (1300 + 40)));
  input.costs.detect = ms(1679 - 750);
  CHECK(fault_times(input).in_hand == 11);
  input.costs.detect = ms(1680 - 750);
  CHECK(fault_times(input).in_hand == 12);
}

TEST_CASE("a step that no time can tell is refused") {
  FaultInput input = at_step(1'000'000'000);
  CHECK(refusal_of([&] { fault_times(input); }) ==
        "1000000000 steps take longer than a time can say; write an earlier step");
}

}  // namespace syncsim::testing::fault_times_test
