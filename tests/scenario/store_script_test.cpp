// Points that are calls of a key-value store.

#include "sim/scenario/store_script.h"

#include <doctest/doctest.h>

#include "sim/scenario/run.h"
#include "sim/scenario/scenario.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::store_script_test {
namespace {

Report run(const std::string& fields) {
  RunSettings settings;
  settings.shelf = SYNCSIM_SHELF;
  const std::string text = R"({"topology": "pcie_4gpu", )" + fields + "}";
  return run_point(read_scenario(JsonFile::parse(text, "s.json").root()).points.front(), settings);
}

std::string refused(const std::string& fields) {
  return refusal_of([&] { run(fields); });
}

const std::string kKeys = R"("keys": {"conv": "40 MB", "fc": "120 MB"})";

}  // namespace

TEST_CASE("without calls every key is pushed and pulled, and counts as an allreduce of all") {
  const Report report = run(R"("store": "local", )" + kKeys);
  CHECK(report.time ==
        parse_time("70 ms"));  // 10 + 30 + 30: one is pulled while the other is pushed
  CHECK(report.facts.strategy == "store");
  CHECK(report.facts.collective.bytes == Bytes{160'000'000});
  CHECK(report.facts.collective.kind == CollectiveKind::allreduce);
  CHECK(report.facts.checked);
  CHECK(report.efficiency <= 1);
  CHECK(report.notes == std::vector<std::string>{"keys on cpu0: 160 MB"});
}

TEST_CASE("calls are made in their order, by ranges of workers and names of keys") {
  const Report report = run(R"("store": {"type": "local", "update": "16 ms"}, )" + kKeys +
                            R"(, "calls": ["push 3,0-2 fc", " pull 0-3  fc "])");
  CHECK(report.time == parse_time("72 ms"));  // 60 and three quarters of 16
  CHECK(report.facts.collective.bytes == Bytes{120'000'000});
}

TEST_CASE("calls are selected as they are written") {
  const std::string text = R"({"topology": "pcie_4gpu", "store": "local", )" + kKeys + R"(,
      "sweep": {"calls": [["pushpull fc"], ["pushpull conv"]]},
      "expect": [{"metric": "time", "where": {"calls": ["pushpull conv"]}, "value": "20 ms",
                  "tolerance": "0.1 %"}]})";
  const Scenario scenario = read_scenario(JsonFile::parse(text, "s.json").root());
  REQUIRE(scenario.points.size() == 2);
  CHECK(scenario.points[1].bytes == Bytes{40'000'000});
}

TEST_CASE("inits alone are a broadcast: parameters are distributed") {
  const Report report = run(R"("store": "device", )" + kKeys + R"(, "calls": ["init fc"])");
  CHECK(report.facts.collective.kind == CollectiveKind::broadcast);
  CHECK(report.facts.collective.bytes == Bytes{120'000'000});
  CHECK(report.efficiency <= 1);
}

TEST_CASE("a store that sums by a strategy takes its name and parameters") {
  const Report report = run(
      R"("store": "allreduce", "strategy": {"name": "ring", "parameters": {"rings": "0,1,2,3"}}, )" +
      kKeys);
  CHECK(report.facts.strategy == "ring");
  CHECK(report.time == parse_time("15 ms"));
  CHECK(refused(R"("store": "allreduce", "strategy": "auto", )" + kKeys) ==
        "s.json:/strategy: \"auto\" is of one collective, not of a store's calls; name a strategy");
}

TEST_CASE("wrong keys and calls are refused where they stand") {
  const auto called = [](const std::string& calls) {
    return refused(R"("store": "local", )" + kKeys + R"(, "calls": [)" + calls + "]");
  };
  CHECK(called(R"("pushpull cnov")") ==
        "s.json:/calls/0: unknown key \"cnov\"; did you mean \"conv\"?");
  CHECK(called(R"("pushpul conv")") ==
        "s.json:/calls/0: unknown call \"pushpul\"; did you mean \"pushpull\"?");
  CHECK(called(R"("pushpull conv", "pull 0-3 conv")") ==
        "s.json:/calls/1: worker 0 pulls \"conv\", which worker 0 has not pushed; let every worker "
        "push "
        "it before");
  CHECK(called(R"("push 0-9 conv")") ==
        "s.json:/calls/0: worker 4 is not in the run; name workers of the run, 0 to 3");
  CHECK(called("") == "s.json:/calls: is empty; write such as [\"pushpull fc\"]");
  CHECK(refused(R"("store": "local", "keys": {})") ==
        "s.json:/keys: is empty; write such as {\"fc\": \"40 MB\"}");
  CHECK(refused(R"("store": "local", "keys": {"a": "6 B"})") ==
        "s.json:/keys/a: is no whole number of float32; write a multiple of 4 B above 0");
  CHECK(refused(kKeys + R"(, "strategy": "ring", "bytes": 8)") ==
        "s.json:/keys: keys are of a key-value store; add such as \"store\": \"device\"");
  CHECK(refused(R"("calls": ["init a"], "strategy": "ring", "bytes": 8)") ==
        "s.json:/calls: calls are of keys; add such as \"keys\": {\"fc\": \"40 MB\"}");
  CHECK(refused(R"("store": "local", "bytes": 8, )" + kKeys) ==
        "s.json:/bytes: \"bytes\" is not of a store's calls; leave it out: their keys say it");
  CHECK(refused(R"("store": {"type": "local", "staleness": 1}, )" + kKeys) ==
        "s.json:/store: staleness is of training steps; leave it out, or say a \"model\"");
  CHECK(refused(R"("store": "local", "strategy": "ring", )" + kKeys) ==
        "s.json:/strategy: a key-value store sums by itself; leave out one of \"store\" and "
        "\"strategy\"");
}

}  // namespace syncsim::testing::store_script_test
