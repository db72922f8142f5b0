// Verdicts: every kind of claim, passing and failing, up to its edge.

#include "sim/scenario/claims.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/scenario/scenarios.h"

namespace syncsim::claims_test {
namespace {

using testing::judged;
using testing::read;

constexpr std::int64_t kMillisecond = 1'000'000'000;

// Three points, p0 to p2, and the claims.
std::string three_points(const std::string& expect) {
  return R"({"name": "three", "source": "a book", "note": "a note", "topology": "pcie_4gpu",
    "bytes": "160 MB", "strategy": "ring",
    "points": [{"name": "p0"}, {"name": "p1"}, {"name": "p2"}], "expect": [)" +
         expect + "]}";
}

Report report_for(const Point& point, std::int64_t time) {
  Report report;
  report.facts.name = point.name;
  report.facts.topology = point.topology;
  report.facts.strategy = point.strategy;
  report.facts.collective = {CollectiveKind::allreduce, 4, point.bytes};
  report.time = {time};
  return report;
}

// The claims about three points that took these times.
std::vector<Claim> claims(const std::string& expect, const std::vector<std::int64_t>& times) {
  const Scenario scenario = read(three_points(expect));
  std::vector<Report> reports;
  for (std::size_t i = 0; i < times.size(); ++i)
    reports.push_back(report_for(scenario.points[i], times[i]));
  return judged(scenario, reports);
}

Claim claim(const std::string& expect, const std::vector<std::int64_t>& times) {
  const std::vector<Claim> all = claims(expect, times);
  REQUIRE(all.size() == 1);
  return all[0];
}

bool passes(const std::string& expect, const std::vector<std::int64_t>& times) {
  return claim(expect, times).passed;
}

// Whether p0, having taken that time, passes a claim with these fields.
bool passes_at(const std::string& fields, std::int64_t time) {
  return passes(R"({"where": {"name": "p0"}, "metric": "time", )" + fields + "}", {time, 1, 1});
}

// Whether p0 passes a claim about another figure.
bool figure_passes(const std::string& fields, const Report& figures) {
  const Scenario scenario = read(three_points(R"({"where": {"name": "p0"}, )" + fields + "}"));
  const std::vector<Report> reports = {figures, {}, {}};
  const std::vector<Claim> all = judged(scenario, reports);
  REQUIRE(all.size() == 1);
  return all[0].passed;
}

std::string refusal(const std::string& expect) {
  return testing::refusal_of([&] { claims(expect, {1, 2, 3}); });
}

}  // namespace

TEST_CASE("a value with an absolute tolerance holds up to it, and not a picosecond beyond") {
  const std::string fields = R"("value": "15 ms", "tolerance": "5 ps")";
  CHECK(passes_at(fields, 15 * kMillisecond));
  CHECK(passes_at(fields, 15 * kMillisecond + 5));
  CHECK(passes_at(fields, 15 * kMillisecond - 5));
  CHECK_FALSE(passes_at(fields, 15 * kMillisecond + 6));
  CHECK_FALSE(passes_at(fields, 15 * kMillisecond - 6));
}

TEST_CASE("a value with a tolerance in % holds up to that share of the value") {
  const std::string fields = R"("value": "15 ms", "tolerance": "0.1 %")";
  const std::int64_t room = 15 * kMillisecond / 1'000;
  CHECK(passes_at(fields, 15 * kMillisecond + room));
  CHECK(passes_at(fields, 15 * kMillisecond - room));
  CHECK_FALSE(passes_at(fields, 15 * kMillisecond + room + 1));
  CHECK_FALSE(passes_at(fields, 15 * kMillisecond - room - 1));
}

TEST_CASE("from a second on a picosecond still counts") {
  for (const std::int64_t seconds : {1, 5, 100}) {
    CAPTURE(seconds);
    const std::string value = R"("value": ")" + std::to_string(seconds) + R"( s", "tolerance": )";
    const std::int64_t time = seconds * 1'000 * kMillisecond;
    CHECK(passes_at(value + R"("0 ps")", time));
    CHECK_FALSE(passes_at(value + R"("0 ps")", time + 1));
    CHECK_FALSE(passes_at(value + R"("0 ps")", time - 1));
    CHECK(passes_at(value + R"("0.01 %")", time + time / 10'000));
    CHECK_FALSE(passes_at(value + R"("0.01 %")", time + time / 10'000 + 1));
  }
}

TEST_CASE("a tolerance of nothing asks for the very value") {
  for (const std::string tolerance : {"0 %", "0 ps"}) {
    const std::string fields = R"("value": "15 ms", "tolerance": ")" + tolerance + "\"";
    CHECK(passes_at(fields, 15 * kMillisecond));
    CHECK_FALSE(passes_at(fields, 15 * kMillisecond + 1));
    CHECK_FALSE(passes_at(fields, 15 * kMillisecond - 1));
  }
}

TEST_CASE("at_least and at_most include their bound") {
  CHECK(passes_at(R"("at_least": "15 ms")", 15 * kMillisecond));
  CHECK(passes_at(R"("at_least": "15 ms")", 15 * kMillisecond + 1));
  CHECK_FALSE(passes_at(R"("at_least": "15 ms")", 15 * kMillisecond - 1));
  CHECK(passes_at(R"("at_most": "15 ms")", 15 * kMillisecond));
  CHECK(passes_at(R"("at_most": "15 ms")", 15 * kMillisecond - 1));
  CHECK_FALSE(passes_at(R"("at_most": "15 ms")", 15 * kMillisecond + 1));
}

TEST_CASE("bandwidths, fractions and counts are claimed in their own units") {
  Report report;
  report.busbw = 8.5e9;
  report.efficiency = 0.55;
  report.ops = 7;
  CHECK(figure_passes(R"("metric": "busbw", "value": "8 GB/s", "tolerance": "0.5 GB/s")", report));
  CHECK_FALSE(
      figure_passes(R"("metric": "busbw", "value": "8 GB/s", "tolerance": "0.4 GB/s")", report));
  CHECK(figure_passes(R"("metric": "efficiency", "value": "50 %", "tolerance": "10 %")", report));
  CHECK(figure_passes(R"("metric": "efficiency", "value": 0.5, "tolerance": 0.05)", report));
  CHECK_FALSE(
      figure_passes(R"("metric": "efficiency", "value": "50 %", "tolerance": "9 %")", report));
  CHECK(figure_passes(R"("metric": "ops", "value": 7, "tolerance": 0)", report));
  CHECK_FALSE(figure_passes(R"("metric": "ops", "value": 8, "tolerance": 0)", report));
  CHECK(figure_passes(R"("metric": "ops", "value": 8, "tolerance": 1)", report));
}

TEST_CASE("a value claim gives a verdict for each selected point") {
  const std::vector<Claim> all =
      claims(R"({"metric": "time", "at_most": "2 ns"})", {1'000, 2'000, 2'001});
  REQUIRE(all.size() == 3);
  CHECK(all[0].name == "three: p0");
  CHECK(all[1].name == "three: p1");
  CHECK(all[2].name == "three: p2");
  CHECK(all[0].passed);
  CHECK(all[1].passed);
  CHECK_FALSE(all[2].passed);
}

TEST_CASE("a verdict says what was expected, as written, and what came of it") {
  const Claim value = claim(R"({"where": {"name": "p1"}, "metric": "time", "value": "15.0 ms",
                                "tolerance": "0.1 %"})",
                            {1, 15'003'000'000, 1});
  CHECK(value.file == "s.json");
  CHECK(value.metric == "time");
  CHECK(value.expected == "15.0 ms");
  CHECK(value.actual == "15.0030 ms");
  CHECK(value.deviation == doctest::Approx(0.0002).epsilon(1e-9));
  CHECK(claim(R"({"where": {"name": "p0"}, "metric": "time", "at_least": "1 ps"})", {1, 1, 1})
            .expected == ">= 1 ps");
  CHECK(claim(R"({"where": {"name": "p0"}, "metric": "ops", "at_most": 3})", {1, 1, 1}).expected ==
        "<= 3");
}

TEST_CASE("the deviation from a value of nothing is infinite, or nothing") {
  const std::string expect = R"({"where": {"name": "p0"}, "metric": "time", "value": "0 ps",
                                 "tolerance": "5 ps"})";
  CHECK(claim(expect, {0, 1, 1}).deviation == 0);
  CHECK(claim(expect, {5, 1, 1}).deviation == HUGE_VAL);
  CHECK(claim(expect, {5, 1, 1}).passed);
}

TEST_CASE("an order is strict, over the points as listed") {
  const std::string rising = R"({"metric": "time", "order": "increasing"})";
  CHECK(passes(rising, {1, 2, 3}));
  CHECK_FALSE(passes(rising, {1, 2, 2}));
  CHECK_FALSE(passes(rising, {1, 3, 2}));
  const std::string falling = R"({"metric": "time", "order": "decreasing"})";
  CHECK(passes(falling, {3, 2, 1}));
  CHECK_FALSE(passes(falling, {2, 2, 1}));
  CHECK_FALSE(passes(falling, {2, 3, 1}));
}

TEST_CASE("a broken order names the first pair that breaks it") {
  const Claim broken = claim(R"({"metric": "time", "order": "increasing"})", {3'000, 2'000, 1'000});
  CHECK(broken.name == "three");
  CHECK(broken.expected == "increasing");
  CHECK(broken.actual == "3.0000 ns, 2.0000 ns");
  CHECK(std::isnan(broken.deviation));
  CHECK(claim(R"({"metric": "time", "order": "decreasing"})", {3, 2, 1}).actual == "decreasing");
}

TEST_CASE("an order holds over the selected points only, and one point has none") {
  const std::string some = R"({"where": {"topology": "pcie_4gpu"}, "metric": "time",
                               "order": "increasing"})";
  CHECK(passes(some, {1, 2, 3}));
  CHECK(refusal(R"({"where": {"name": "p0"}, "metric": "time", "order": "increasing"})") ==
        "s.json:/expect/0/where: orders one point; select two or more, or claim a value");
}

TEST_CASE("less_than: every point of the first selection below every one of the second") {
  const std::string expect = R"({"metric": "time", "of": {"name": "p0"}, "less_than": {}})";
  CHECK_FALSE(passes(expect, {1, 2, 3}));  // p0 is not below itself
  const std::string two =
      R"({"metric": "time", "of": {"name": "p0"}, "less_than": {"name": "p1"}})";
  CHECK(passes(two, {1, 2, 0}));
  CHECK_FALSE(passes(two, {2, 2, 0}));
  CHECK_FALSE(passes(two, {3, 2, 0}));
  const Claim verdict = claim(two, {1'000, 2'000, 0});
  CHECK(verdict.expected == "< 2.0000 ns");
  CHECK(verdict.actual == "1.0000 ns");
  CHECK(verdict.deviation == doctest::Approx(-0.5).epsilon(1e-14));
}

TEST_CASE("less_than by_factor: at least that factor, and the bound itself passes") {
  const std::string expect = R"({"metric": "time", "of": {"name": "p0"},
                                 "less_than": {"name": "p1"}, "by_factor": 1.5})";
  CHECK(passes(expect, {2'000, 3'000, 0}));
  CHECK(passes(expect, {2'000, 9'000, 0}));
  CHECK_FALSE(passes(expect, {2'000, 2'999, 0}));
  const Claim verdict = claim(expect, {2'000, 9'000, 0});
  CHECK(verdict.expected == ">= factor 1.5");
  CHECK(verdict.actual == "factor 4.5000");
  CHECK(verdict.deviation == doctest::Approx(2).epsilon(1e-14));
}

TEST_CASE("less_than by_factor with a tolerance: that factor, within it, on both sides") {
  const std::string expect = R"({"metric": "time", "of": {"name": "p0"},
                                 "less_than": {"name": "p1"}, "by_factor": 4, "tolerance": "1 %"})";
  CHECK(passes(expect, {1'000, 4'000, 0}));
  CHECK(passes(expect, {1'000, 4'039, 0}));
  CHECK(passes(expect, {1'000, 3'961, 0}));
  CHECK_FALSE(passes(expect, {1'000, 4'041, 0}));
  CHECK_FALSE(passes(expect, {1'000, 3'959, 0}));
  CHECK(claim(expect, {1'000, 4'000, 0}).expected == "factor 4");
}

TEST_CASE("a factor below one still asks for less") {
  const std::string expect = R"({"metric": "time", "of": {"name": "p0"},
                                 "less_than": {"name": "p1"}, "by_factor": 0.5})";
  CHECK(passes(expect, {1'000, 1'001, 0}));
  CHECK_FALSE(passes(expect, {1'000, 900, 0}));
}

TEST_CASE("of several points the worst pair decides a comparison") {
  const std::string expect = R"({"name": "both below", "metric": "time", "of": {"bytes": "1 MB"},
                                 "less_than": {"bytes": "2 MB"}, "by_factor": 2})";
  const Scenario scenario = read(R"({"topology": "pcie_4gpu", "strategy": "ring", "points": [
    {"bytes": "1 MB"}, {"bytes": "1 MB"}, {"bytes": "2 MB"}, {"bytes": "2 MB"}],
    "expect": [)" + expect + "]}");
  const auto factor = [&](const std::vector<std::int64_t>& times) {
    std::vector<Report> reports;
    for (std::size_t i = 0; i < times.size(); ++i)
      reports.push_back(report_for(scenario.points[i], times[i]));
    return judged(scenario, reports).at(0).actual;
  };
  CHECK(factor({10, 20, 90, 60}) == "factor 3.0000");
  CHECK(factor({20, 10, 60, 90}) == "factor 3.0000");
}

TEST_CASE("a claim's own name, source and note come before the scenario's") {
  const std::vector<Claim> all = claims(
      R"({"metric": "time", "order": "increasing"},
         {"metric": "time", "order": "increasing", "name": "own", "source": "a page",
          "note": "own note"},
         {"metric": "time", "value": "1 ps", "tolerance": "0 ps", "where": {"name": "p0"},
          "name": "own"})",
      {1, 2, 3});
  REQUIRE(all.size() == 3);
  CHECK(all[0].name == "three");
  CHECK(all[0].source == "a book");
  CHECK(all[0].note == "a note");
  CHECK(all[1].name == "own");
  CHECK(all[1].source == "a page");
  CHECK(all[1].note == "own note");
  CHECK(all[2].name == "own: p0");
  CHECK(all[2].source == "a book");
}

}  // namespace syncsim::claims_test
