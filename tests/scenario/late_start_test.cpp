// Ranks that come late, in scenarios.

#include <doctest/doctest.h>

#include "tests/scenario/scenarios.h"

namespace syncsim::late_start_test {
namespace {

using testing::refusal;
using testing::run_all;
using testing::textbook;

std::vector<std::int64_t> microseconds_of(const std::string& text) {
  std::vector<std::int64_t> result;
  for (const Report& report : run_all(testing::read(text)))
    result.push_back(report.time.ps / 1'000'000);
  return result;
}

}  // namespace

TEST_CASE("a ring waits for a late rank, aggregation on one GPU goes on with the others") {
  const std::string late = R"("start": {"3": "5 ms"}, "strategy": )";
  CHECK(microseconds_of(textbook(late + R"("ring")")) == std::vector<std::int64_t>{20'000});
  CHECK(microseconds_of(textbook(late + R"("central_gpu")")) == std::vector<std::int64_t>{60'000});
}

TEST_CASE("all ranks late by the same time end that much later") {
  CHECK(microseconds_of(textbook(R"("start": {"0-3": "5 ms"}, "sweep": {"strategy":
            ["ring", "distributed", "central_cpu", "packed_trees"]})")) ==
        std::vector<std::int64_t>{
            20'000, 20'000, 85'000,
            microseconds_of(textbook(R"("strategy": "packed_trees")"))[0] + 5'000});
}

TEST_CASE("no strategy ends before the lower bound, whoever comes late") {
  for (const char* machine : {"pcie_4gpu", "v100_quad"})
    for (const char* start :
         {R"({"3": "5 ms"})", R"({"0-3": "2 ms"})", R"({"1": "1 us", "2": "20 ms"})"})
      for (const char* bytes : {"4 B", "16 MB"}) {
        const std::string text = std::string(R"({"topology": ")") + machine + R"(", "start": )" +
                                 start + R"(, "bytes": ")" + bytes + R"(", "sweep": {"strategy":
            ["ring", "distributed", "central_gpu", "packed_trees"],
            "collective": ["allreduce", "reduce", "all_gather"]}})";
        for (const Report& report : run_all(testing::read(text))) {
          CAPTURE(report.facts.strategy);
          CAPTURE(text);
          CHECK(report.efficiency <= 1 + 1e-9);
          CHECK(report.bound.seconds >= 1e-6);
        }
      }
}

TEST_CASE("a report says who comes late, and how long the late start lasts") {
  const Report report = run_all(
      testing::read(textbook(R"("start": {"1": "2 ms", "3": "5 ms"}, "strategy": "ring")")))[0];
  CHECK(report.facts.start_text() == "rank 1 at 2 ms, rank 3 at 5 ms");
  CHECK(report.phases.front().name == "late start");
  CHECK(report.phases.front().time() == parse_time("5 ms"));
}

TEST_CASE("late starts that mean nothing are refused") {
  const auto told = [](const std::string& start) {
    return refusal(textbook(R"("strategy": "ring", "start": )" + start));
  };
  CHECK(told(R"({"4": "5 ms"})") ==
        "s.json:/start: rank 4 of 4 starts late; name ranks of the run, 0 to 3");
  CHECK(told(R"({"0-1": "5 ms", "1": "5 ms"})") ==
        "s.json:/start/1: rank 1 starts twice; say one time of it");
  CHECK(told(R"({"1": "5"})") == "s.json:/start/1: \"5\" has no unit; write \"5 us\"");
  CHECK(told(R"({"x": "5 us"})").starts_with("s.json:/start/x: "));
}

}  // namespace syncsim::late_start_test
