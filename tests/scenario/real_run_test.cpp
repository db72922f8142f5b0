// Points run for real beside the model.

#include "sim/scenario/real_run.h"

#include <doctest/doctest.h>

#include "tests/scenario/scenarios.h"

namespace syncsim::testing::real_run_test {
namespace {

const RunSettings kSettings{.shelf = SYNCSIM_SHELF};

Execution executed(const std::string& fields) {
  const Scenario scenario = read("{" + fields + R"(, "topology": "pcie_4gpu"})");
  return run_for_real(scenario.points.front(), kSettings, real_executors().at("host"),
                      {.iterations = 3, .warmup = 1, .threads = 2});
}

std::string refused(const std::string& fields) {
  return refusal_of([&] { executed(fields); });
}

}  // namespace

TEST_CASE("a point run for real says what a run says, measured, and what the model says") {
  const Execution ring = executed(R"("strategy": "ring", "bytes": "400 kB")");
  CHECK(ring.data_correct());
  CHECK(ring.measured.facts.executor == "host");
  CHECK(ring.simulated.facts.executor == "simulated");
  CHECK(ring.measured.facts.checked);
  CHECK(ring.simulated.time == parse_time("37.5 us"));  // 2 x 3/4 x 400 kB at 16 GB/s
  CHECK(ring.measurement.times.size() == 3);
  CHECK(ring.measured.time == ring.measurement.median());
  CHECK(ring.measured.time.ps > 0);
  CHECK(ring.measured.algbw == doctest::Approx(400e3 / seconds(ring.measured.time)));
  REQUIRE(ring.measured.phases.size() == ring.simulated.phases.size());
  CHECK(ring.measured.phases.back().finish == ring.measured.time);
  CHECK(ring.measured.links.front().bytes == ring.simulated.links.front().bytes);
  CHECK(ring.measured.links.front().rate ==
        doctest::Approx(ring.measured.links.front().bytes / seconds(ring.measured.time)));
  CHECK(*ring.deviation() == doctest::Approx(seconds(ring.measured.time) / 37.5e-6 - 1));
}

TEST_CASE("a deviation is within what is expected or not, where something is") {
  Execution execution;
  execution.simulated.time = {1'000};
  execution.measured.time = {1'150};
  CHECK(execution.as_expected());
  execution.tolerance = 0.16;
  CHECK(execution.as_expected());
  execution.tolerance = 0.14;
  CHECK(!execution.as_expected());
  execution.measured.time = {850};
  CHECK(!execution.as_expected());
  execution.simulated.time = {0};
  CHECK(!execution.deviation());
  CHECK(!execution.as_expected());
}

TEST_CASE("a choice measures what it chose, and says so") {
  const Execution chosen = executed(R"("strategy": "auto", "bytes": "4 kB")");
  CHECK(chosen.data_correct());
  REQUIRE(chosen.measured.facts.choice);
  CHECK(chosen.measured.facts.strategy_text() == chosen.simulated.facts.strategy_text());
  CHECK(chosen.measured.ops == chosen.simulated.ops);
}

TEST_CASE("a training step runs for real, its computes and a late rank in real time") {
  const std::string model =
      R"("model": {"layers": 3, "bytes": "12 kB", "forward": "3 ms", "backward": "6 ms"})";
  const Execution step = executed(R"("strategy": "ring", )" + model);
  CHECK(step.data_correct());
  CHECK(step.measured.time >= parse_time("9 ms"));
  CHECK(step.measured.step->compute == parse_time("9 ms"));
  const Execution late = executed(R"("strategy": "ring", "bytes": "4 kB", "start": {"1": "2 ms"})");
  CHECK(late.data_correct());
  CHECK(late.measured.time >= parse_time("2 ms"));
}

TEST_CASE("what is there in models only is refused at its place") {
  const std::string ring = R"("strategy": "ring", "bytes": "4 kB", )";
  CHECK(refused(ring + R"("events": ["at 1 us kind:pcie bandwidth=8 GB/s"])") ==
        "s.json:/events: a link that changes in mid-run is there in models only; leave it out of "
        "what is run for real");
  CHECK(refused(ring + R"("background": "f.csv")") ==
        "s.json:/background: traffic in the background is there in models only; leave it out of "
        "what is run for real");
  CHECK(refused(R"("strategy": "ring", "executor": "host", "bytes": "4 kB")") ==
        "s.json:/executor: \"host\" runs schedules for real; use \"syncsim execute\" for that");
}

}  // namespace syncsim::testing::real_run_test
