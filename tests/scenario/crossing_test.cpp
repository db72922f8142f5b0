#include "sim/scenario/crossing.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/scenario/scenarios.h"

namespace syncsim::crossing_test {
namespace {

using Contests = std::vector<Contest>;

std::string crossing_text(const Contests& contests) { return crossing_of(contests).text; }

// Two strategies over sizes on 4 ranks, a = 5 us and b = 1 / 16 GB/s: recursive doubling takes
// 2a + 2Mb, a ring 6a + 1.5Mb, which is less from M = 8a / b = 640 kB on.
std::string claimed(const std::string& claim, const std::string& sizes = "1 kB..16 MB") {
  return R"({"topology": "pcie_4gpu", "overhead": "5 us",
             "sweep": {"strategy": ["recursive_doubling", "ring"], "bytes": ")" +
         sizes + R"("}, "expect": [)" + claim + "]}";
}

Claim verdict(const std::string& claim) { return testing::judged(claimed(claim)).at(0); }

std::string refusal(const std::string& claim) { return testing::refusal(claimed(claim)); }

}  // namespace

TEST_CASE("between two sizes the lead changes where the difference, as a line, is nothing") {
  // 10 + 2m against 30 + m, of m = 8 and 48: equal at 20.
  const std::vector<LeadChange> changes =
      lead_changes(Contests{{{8}, {26}, {38}}, {{48}, {106}, {78}}});
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].at == doctest::Approx(20));
  CHECK(changes[0].below == Bytes{8});
  CHECK(changes[0].above == Bytes{48});
  CHECK(changes[0].to_second);
}

TEST_CASE("sizes without a leader lie between, and the first of them is where the lead changes") {
  const std::vector<LeadChange> changes =
      lead_changes(Contests{{{8}, {1}, {2}}, {{16}, {3}, {3}}, {{32}, {4}, {4}}, {{64}, {6}, {5}}});
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].at == 16);
  CHECK(lead_changes(Contests{{{8}, {1}, {2}}, {{16}, {3}, {3}}, {{32}, {4}, {5}}}).empty());
}

TEST_CASE("a crossover is one change of the lead, to the second") {
  const Contest first{{8}, {1}, {2}};
  const Contest second{{16}, {4}, {3}};
  const Contest first_again{{32}, {5}, {6}};
  CHECK(crossing_of(Contests{first, second}).at == 12);
  CHECK(crossing_text(Contests{first, second}) == "12 B");
  CHECK(crossing_of(Contests{first, second}).between == " (between 8 B and 16 B)");
  CHECK(crossing_text(Contests{first, first_again}) == "never: the first is faster throughout");
  CHECK(crossing_text(Contests{second}) == "never: the second is faster throughout");
  CHECK(crossing_text(Contests{{{8}, {1}, {1}}}) == "never: both are equally fast");
  CHECK(crossing_text(Contests{first, second, first_again}) == "2 times: 12 B, 24 B");
  CHECK(crossing_text(Contests{second, first_again}) == "the first from 24 B on, not the second");
  CHECK_FALSE(crossing_of(Contests{second, first_again}).at.has_value());
}

TEST_CASE("a claimed crossover lies within its sizes") {
  const std::string between = R"("crossover": {"between": ["recursive_doubling", "ring"]})";
  const Claim good = verdict("{" + between + R"(, "from": "64 kB", "to": "1 MB"})");
  CHECK(good.passed);
  CHECK(good.metric == "crossover");
  CHECK(good.expected == "64 kB..1 MB");
  CHECK(good.actual == "640 kB");
  const Claim late = verdict("{" + between + R"(, "from": "2 MB", "to": "8 MB"})");
  CHECK_FALSE(late.passed);
  CHECK(late.actual == "640 kB (between 256 kB and 1.024 MB)");
  const Claim wrong = verdict(R"({"crossover": {"between": ["ring", "recursive_doubling"]},
                                  "from": "64 kB", "to": "1 MB"})");
  CHECK_FALSE(wrong.passed);
  CHECK(wrong.actual.starts_with("the first from "));
}

TEST_CASE("the sides of a crossover may be selectors, and where narrows both") {
  const Claim claim = verdict(R"({"crossover": {"between": [{"strategy": "recursive_doubling"},
      {"strategy": {"name": "ring"}}]}, "where": {"topology": "pcie_4gpu"},
      "from": "64 kB", "to": "1 MB"})");
  CHECK(claim.passed);
}

TEST_CASE("a crossover needs two sides, each once at two sizes or more") {
  const std::string range = R"(, "from": "64 kB", "to": "1 MB"})";
  const std::string at = "s.json:/expect/0";
  CHECK(
      refusal(R"({"crossover": {"between": ["ring"]})" + range) ==
      at +
          "/crossover/between: names 1; name two: the one that is faster below, and the one above");
  CHECK(refusal(R"({"crossover": {"between": ["ring", "rign"]})" + range) ==
        at + "/crossover/between/1: unknown strategy \"rign\"; did you mean \"ring\"?");
  CHECK(refusal(R"({"crossover": {"between": ["ring", "swing"]})" + range) ==
        at + "/crossover/between/1: selects no point: none has strategy \"swing\"; choose one of "
             "recursive_doubling, ring");
  CHECK(refusal(R"({"crossover": {"between": [{}, "ring"]})" + range) ==
        at + "/crossover/between/0: selects two points of 1 kB for one side: \"recursive_doubling, "
             "1 kB\" and \"ring, 1 kB\"; narrow it, or both sides with \"where\"");
  CHECK(refusal(R"({"crossover": {"between": ["ring", "recursive_doubling"]},
                    "where": {"bytes": "1 kB"})" +
                range) ==
        at + ": compares at fewer than two sizes; sweep over sizes below and above the crossover");
  CHECK(refusal(R"({"crossover": {"between": ["ring", "swing"]}, "from": "1 MB", "to": "1 kB"})") ==
        at + "/from: is above \"to\"; write the smaller size first");
  CHECK(refusal(R"({"crossover": {"between": ["ring", "swing"]}, "to": "1 kB"})") ==
        at + ": \"from\" is missing; add \"from\": \"64 kB\"");
  CHECK(
      refusal(R"({"crossover": {"between": ["ring", "swing"]}, "metric": "time"})") ==
      at +
          "/metric: unknown key \"metric\"; choose one of name, source, note, crossover, from, to, "
          "where");
}

}  // namespace syncsim::crossing_test
