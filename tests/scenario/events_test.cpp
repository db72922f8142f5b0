// Events in scenarios: where they may stand, what a report says of them, what is refused.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/report/formats.h"
#include "sim/scenario/selection.h"
#include "tests/scenario/scenarios.h"

namespace syncsim::events_test {
namespace {

using testing::read;
using testing::read_refusal;
using testing::refusal;
using testing::run_all;
using testing::textbook;

const std::string kRing = R"("strategy": "ring")";

std::string with_events(const std::string& events, const std::string& fields = kRing) {
  return textbook(fields + R"(, "events": )" + events);
}

std::vector<std::int64_t> microseconds_of(const std::string& text) {
  std::vector<std::int64_t> result;
  for (const Report& report : run_all(read(text))) result.push_back(report.time.ps / 1'000'000);
  return result;
}

const std::string kHalf = R"([{"at": "7.5 ms", "kind": "pcie", "bandwidth": "8 GB/s"}])";

}  // namespace

TEST_CASE("events stand at the top, in a point, which replaces them, or in a sweep") {
  // A ring's 15 ms; the second half at half the rate: 22.5 ms.
  using Times = std::vector<std::int64_t>;
  CHECK(microseconds_of(with_events(kHalf)) == Times{22'500});
  CHECK(microseconds_of(with_events("[]")) == Times{15'000});
  CHECK(microseconds_of(with_events(kHalf, kRing + R"(, "points": [{}, {"events": []}])")) ==
        Times{22'500, 15'000});
  CHECK(microseconds_of(textbook(kRing + R"(, "sweep": {"events": [[], )" + kHalf + "]}")) ==
        Times{15'000, 22'500});
}

TEST_CASE("points that differ in events are told apart by them") {
  const Scenario scenario = read(textbook(kRing + R"(, "sweep": {"events": [[], )" + kHalf + "]}"));
  const std::vector<Report> reports = run_all(scenario);
  CHECK(point_label(0, scenario.points, reports) == "no events");
  CHECK(point_label(1, scenario.points, reports) == "at 7.5 ms kind:pcie bandwidth=8 GB/s");
}

TEST_CASE("a report lists events as written, and what they come to") {
  const Report report =
      run_all(
          read(textbook(
              kRing +
              R"(, "events": [{"at": "7.5 ms", "link": "gpu0>switch0", "bandwidth": "8 GB/s"}])")))
          .front();
  CHECK(report.facts.events ==
        std::vector<std::string>{"at 7.5 ms link:gpu0>switch0 bandwidth=8 GB/s"});
  REQUIRE(report.facts.changes.size() == 1);
  CHECK(report.facts.changes[0].at == Time{7'500'000'000});
  CHECK(report.facts.changes[0].link == "gpu0>switch0");
  CHECK(report.facts.changes[0].bandwidth == 8e9);
  CHECK(report.time == Time{22'500'000'000});
  // 240 MB over a link of 16 and then 8 GB/s, which is full throughout.
  CHECK(report.links[0].direction == "gpu0>switch0");
  CHECK(report.links[0].capacity == doctest::Approx(32e9 / 3).epsilon(1e-14));
  CHECK(report.links[0].utilization == doctest::Approx(1).epsilon(1e-14));
  CHECK(report.links[0].saturated == report.time);
  // 320 MB, all ports: 64 GB/s, then 56. 160 MB out of gpu0: 120 MB in 7.5 ms, then 5 ms.
  CHECK(report.bound.seconds == doctest::Approx(0.0075 + 0.48 / 56).epsilon(1e-14));
  CHECK(report.efficiency <= 1);
}

TEST_CASE("an event at time 0 reports what the edit reports, but for its words") {
  const std::string change = R"(["link:gpu1-switch0 bandwidth=5 GB/s"])";
  Report edited = run_all(read(textbook(kRing + R"(, "edits": )" + change))).front();
  Report eventful =
      run_all(read(with_events(R"(["at 0 s link:gpu1-switch0 bandwidth=5 GB/s"])"))).front();
  CHECK(eventful.facts.changes.size() == 2);
  for (Report* report : {&edited, &eventful}) {
    report->facts.edits.clear();
    report->facts.events.clear();
    report->facts.changes.clear();
  }
  CHECK(write_json(std::vector{eventful}, {true}) == write_json(std::vector{edited}, {true}));
}

TEST_CASE("the critical path of a run that stalled ends when it ends") {
  const Report report = run_all(read(with_events(R"(["at 1 ms kind:pcie bandwidth=0 GB/s",
      {"at": "3 ms", "scale": "kind:pcie", "bandwidth": 1}])")))
                            .front();
  CHECK(report.time == Time{17'000'000'000});
  REQUIRE(!report.critical_path.empty());
  CHECK(report.critical_path.front().start == Time{0});
  CHECK(report.critical_path.back().finish == report.time);
}

TEST_CASE("events are refused at their place in the file") {
  CHECK(read_refusal(with_events("{}")) == "s.json:/events: is an object; write a list [...]");
  CHECK(read_refusal(with_events("[3]")) ==
        "s.json:/events/0: is the number 3; "
        R"(write an event such as "at 2 ms link:a-b bandwidth=8 GB/s", or an object {...})");
  CHECK(read_refusal(with_events(R"([{"link": "gpu0-switch0", "bandwidth": "8 GB/s"}])")) ==
        R"(s.json:/events/0: "at" is missing; add "at": "2 ms")");
  CHECK(read_refusal(textbook(kRing + R"(, "points": [{"events": ["at 1 s remove node:x"]}])")) ==
        R"(s.json:/points/0/events/0: event "at 1 s remove node:x": )"
        "nothing can be removed while a run goes on; "
        "set a bandwidth of 0 GB/s: what has to pass there waits");
  CHECK(refusal(with_events(R"([{"at": "1 s", "link": "gpu0-swich0", "bandwidth": "8 GB/s"}])",
                            kRing + R"(, "expect": [])")) ==
        R"(s.json:/events/0: event "at 1 s link:gpu0-swich0 bandwidth=8 GB/s": no link is called )"
        R"("gpu0-swich0"; did you mean "gpu0-switch0"?)");
  CHECK(refusal(with_events(R"(["at 1 s kind:pcie bandwidth=1 GB/s",
                                "at 1 s link:gpu0>* bandwidth=1 GB/s"])")) ==
        "s.json:/events/1: gpu0>switch0 has another event at 1 s (s.json:/events/0); "
        "keep one of the two");
}

TEST_CASE("a run that can never end is refused at the event that stopped it") {
  const std::string message = refusal(with_events(R"(["at 1 ms link:cpu0-* bandwidth=1 GB/s",
                              "at 2 ms link:switch0>gpu3 bandwidth=0 GB/s"])"));
  CHECK(
      message.starts_with("s.json:/events/1: the run never ends: 1 op waits for links at 0 B/s, "));
  CHECK(message.find("switch0>gpu3 (from 2 ms on) stalls [op ") != message.npos);
}

}  // namespace syncsim::events_test
