// Golden texts of faults and goodput.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sim/base/page_text.h"
#include "sim/base/text.h"
#include "sim/report/formats/fault.h"

namespace syncsim::testing::fault_text_test {
namespace {

constexpr Time ms(std::int64_t count) { return {count * 1'000'000'000}; }

StepReport restored() {
  FaultReport fault;
  fault.what = "rank 3";
  fault.step = 7;
  fault.at = ms(50);
  fault.recovery = "restore";
  fault.stalls = true;
  fault.stands = ms(3);
  fault.reason = "2 transfers wait for rank 3";
  fault.first = "op 290 from gpu2 to gpu3, gradients reduce-scatter";
  fault.checkpoints = {5, ms(2000), ms(1000)};
  fault.before = ms(63);
  fault.after = ms(63);
  fault.samples_per_second_after = 63.5;
  FaultInput input;
  input.step = fault.step;
  input.at = fault.at;
  input.before = fault.before;
  input.after = fault.after;
  input.costs = {ms(10'000), ms(30'000), fault.checkpoints, true};
  fault.times = fault_times(input);
  StepReport step;
  step.fault = fault;
  return step;
}

}  // namespace

TEST_CASE("a fault is told as a time line") {
  CHECK(fault_text(restored()) == R"(
fault: rank 3, steps of 63.0000 ms, a checkpoint of 2.0000 s every 5 steps
      2.4910 s   50.0000 ms into step 7
      2.4940 s   all stands: 2 transfers wait for rank 3
                 the first is op 290 from gpu2 to gpu3, gradients reduce-scatter
     12.4910 s   noticed; recovery: restore
     43.4910 s   goes on with step 5: 2 steps done again, and the one cut short
     43.6800 s   step 7 is done
time lost                 41.1760 s   by then, in all
step after               63.0000 ms   63.5 samples/s
)");
}

TEST_CASE("a recovery that comes before the stall is told in order") {
  StepReport step = restored();
  step.fault->stands = ms(10'001);
  CHECK(fault_text(step).find("all would stand at 12.4920 s: 2 transfers wait for rank 3\n") !=
        std::string::npos);
}

TEST_CASE("a stall without recovery ends the run, and JSON has null for what never comes") {
  StepReport step = restored();
  FaultTimes never;
  never.fault = ms(2491);
  never.in_hand = never.goes_on_at = 7;
  step.fault->times = never;
  step.fault->after.reset();
  step.fault->recovery = "none";
  CHECK(fault_text(step).ends_with("         never   it ends here, without recovery\n"));
  step.fault->recovery = "shrink";
  CHECK(fault_text(step).ends_with("         never   it ends here: no server is left\n"));
  const auto json = fault_json(step);
  CHECK(json["stalls"] == true);
  CHECK(json["stands_us"] == 3000);
  CHECK(json["lost_us"].is_null());
  CHECK(json["step_after_us"].is_null());
  CHECK(json["steps_again"] == 0);
  CHECK(json["checkpoints"]["write_us"] == 2'000'000);
}

TEST_CASE("no line is longer than a page") {
  StepReport step = restored();
  step.fault->what = "link:gpu0-switch0 bandwidth=0 B/s";
  step.fault->before = Time{12'375'000'000};
  step.fault->checkpoints = {2, ms(100), ms(100)};
  step.fault->reason = "2 transfers wait for " + step.fault->what + ", and for " + step.fault->what;
  step.fault->first.clear();
  GoodputReport report;
  report.of = "run";
  report.checkpoints = {1000000, ms(100), ms(100)};
  report.young_every = 6419804.1;
  step.goodput = report;
  const std::string text = fault_text(step);
  CHECK(text.find("the first is") == std::string::npos);
  for (const std::string_view line : separated(text, '\n')) CHECK(line.size() <= kPageWidth);
}

TEST_CASE("goodput is told with its interval") {
  StepReport step;
  CHECK(fault_text(step) == "");
  CHECK(fault_json(step).is_null());
  CHECK(goodput_json(step).is_null());
  GoodputReport report;
  report.mtbf = 3 * 86400;
  report.of = "rank";
  report.parts = 4;
  report.horizon = ms(30LL * 86400 * 1000);
  report.replicas = 20;
  report.checkpoints = {4666, ms(2000), ms(2000)};
  report.goodput = {0.9846, 0.0002, 40.25};
  report.samples_per_second = 62.5;
  report.young_every = 4665.7;
  step.goodput = report;
  CHECK(fault_text(step) == R"(
failures: each of 4 ranks fails every 3 days on the average, for 30 days
goodput                     98.46 %   +- 0.02 % (95 %, 20 runs), 62.5 samples/s
failures                       40.2   a run
checkpoint                 2.0000 s   every 4666 steps; best by Young's sqrt(2 write MTBF): 4665.7
)");
  CHECK(goodput_json(step)["goodput"] == 0.9846);
  CHECK(goodput_json(step)["half_width"] == 0.0002);
  CHECK(goodput_json(step)["horizon_s"] == 2'592'000);
}

}  // namespace syncsim::testing::fault_text_test
