// Claims that are refused, by whole messages.

#include <doctest/doctest.h>

#include <string>

#include "tests/scenario/scenarios.h"

namespace syncsim {
namespace {

// The refusal of one claim about a scenario of one point that is quick to run.
std::string refusal(const std::string& claim) {
  return testing::refusal(R"({"topology": "pcie_4gpu", "bytes": 64, "strategy": "ring",
                              "expect": [)" +
                          claim + "]}");
}

const std::string kAt = "s.json:/expect/0";

}  // namespace

TEST_CASE("a claim names a metric") {
  CHECK(refusal(R"({"at_least": "1 ms"})") ==
        kAt + ": \"metric\" is missing; add \"metric\": \"time\"");
  CHECK(refusal(R"({"metric": "tme", "at_least": "1 ms"})") ==
        kAt + "/metric: unknown metric \"tme\"; did you mean \"time\"?");
  CHECK(refusal(R"({"metric": "phase..time", "at_least": "1 ms"})") ==
        kAt +
            "/metric: unknown metric \"phase..time\"; choose one of time, bound, algbw, busbw, "
            "efficiency, ops, busiest_link.rate, busiest_link.utilization, phase.NAME.time, "
            "link.DIRECTION.bytes");
  CHECK(refusal(R"({"metric": "speed of light", "at_least": "1 ms"})") ==
        kAt +
            "/metric: unknown metric \"speed of light\"; choose one of time, bound, algbw, "
            "busbw, efficiency, ops, busiest_link.rate, busiest_link.utilization, "
            "phase.NAME.time, link.DIRECTION.bytes");
}

TEST_CASE("a claim is of one kind") {
  CHECK(refusal(R"({"metric": "time"})") ==
        kAt +
            ": claims nothing; add one of value, at_least, at_most, order, less_than, chosen, "
            "crossover");
  CHECK(refusal(R"({"metric": "time", "valu": "1 ms"})") ==
        kAt + "/valu: unknown key \"valu\"; did you mean \"value\"?");
  CHECK(refusal(R"({"metric": "time", "at_least": "1 ms", "at_most": "2 ms"})") ==
        kAt + ": has both \"at_least\" and \"at_most\"; make it two claims");
  CHECK(refusal(R"({"metric": "time", "value": "1 ms", "order": "increasing"})") ==
        kAt + ": has both \"value\" and \"order\"; make it two claims");
}

TEST_CASE("what a choice has to be is a strategy's name or a list of them") {
  CHECK(refusal(R"({"chosen": 5})") ==
        kAt + "/chosen: is no strategy; write one such as \"ring\", or a list of them");
  CHECK(refusal(R"({"chosen": []})") == kAt + "/chosen: is empty; name at least one strategy");
}

TEST_CASE("a claim takes the keys of its kind only") {
  CHECK(refusal(R"({"metric": "time", "at_least": "1 ms", "tolerance": "1 %"})") ==
        kAt +
            "/tolerance: unknown key \"tolerance\"; choose one of metric, name, source, note, "
            "at_least, where");
  CHECK(refusal(R"({"metric": "time", "of": {}, "less_than": {}, "over": {}})") ==
        kAt +
            "/over: unknown key \"over\"; choose one of metric, name, source, note, "
            "less_than, of, by_factor, tolerance, where");
  CHECK(refusal(R"({"metric": "time", "value": "1 ms", "tolerence": "1 %"})") ==
        kAt + "/tolerence: unknown key \"tolerence\"; did you mean \"tolerance\"?");
}

TEST_CASE("a value has a tolerance, in % or in its own unit, not below nothing") {
  CHECK(refusal(R"({"metric": "time", "value": "1 ms"})") ==
        kAt + ": \"tolerance\" is missing; add \"tolerance\": \"0.1 %\"");
  CHECK(refusal(R"({"metric": "time", "value": "1 ms", "tolerance": "5 GB/s"})") ==
        kAt +
            "/tolerance: \"5 GB/s\" has the unknown unit \"GB/s\"; use one of ps, ns, us, ms, "
            "s");
  CHECK(refusal(R"({"metric": "time", "value": "1 ms", "tolerance": 5})") ==
        kAt + "/tolerance: is the number 5; write a time with a unit, such as \"2 us\"");
  CHECK(refusal(R"({"metric": "ops", "value": 24, "tolerance": -1})") ==
        kAt + "/tolerance: is negative; write 0 or more");
}

TEST_CASE("a value is written in the metric's unit") {
  CHECK(refusal(R"({"metric": "time", "at_least": 15})") ==
        kAt + "/at_least: is the number 15; write a time with a unit, such as \"2 us\"");
  CHECK(refusal(R"({"metric": "busbw", "at_least": "15 MB"})") ==
        kAt + "/at_least: \"15 MB\" has the unknown unit \"MB\"; did you mean \"MB/s\"?");
  CHECK(refusal(R"({"metric": "ops", "at_least": "15"})") ==
        kAt + "/at_least: is a string; write a whole number");
}

TEST_CASE("an order is increasing or decreasing") {
  CHECK(refusal(R"({"metric": "time", "order": "increasng"})") ==
        kAt + "/order: unknown order \"increasng\"; did you mean \"increasing\"?");
}

TEST_CASE("a comparison has two sides, and a factor above nothing") {
  CHECK(refusal(R"({"metric": "time", "less_than": {}})") ==
        kAt + ": \"of\" is missing; add \"of\": {\"strategy\": \"ring\"}");
  CHECK(refusal(R"({"metric": "time", "of": {}, "less_than": {}, "by_factor": 0})") ==
        kAt + "/by_factor: is not above zero; write a factor above 0");
  CHECK(refusal(R"({"metric": "time", "of": {}, "less_than": {}, "by_factor": -2})") ==
        kAt + "/by_factor: is not above zero; write a factor above 0");
  CHECK(refusal(R"({"metric": "time", "of": {}, "less_than": {}, "by_factor": "2"})") ==
        kAt + "/by_factor: is a string; write a number");
  CHECK(refusal(R"({"metric": "time", "of": {}, "less_than": {}, "tolerance": "1 %"})") ==
        kAt + "/tolerance: has no by_factor to apply to; add \"by_factor\", or leave it out");
}

TEST_CASE("a selection of no point is an error, never a pass") {
  const std::string none = kAt +
                           ": selects no point of this scenario; name fields as the points have "
                           "them, or add the point";
  CHECK(
      refusal(R"({"where": {"strategy": "distributed"}, "metric": "time", "at_least": "0 ps"})") ==
      none);
  CHECK(refusal(R"({"where": {"bytes": 60}, "metric": "time", "order": "increasing"})") == none);
  CHECK(refusal(R"({"metric": "time", "of": {"ranks": 3}, "less_than": {}})") == none);
  CHECK(refusal(R"({"metric": "time", "of": {}, "less_than": {"ranks": 3}})") == none);
}

TEST_CASE("a selector names fields of points, with values of their types") {
  CHECK(refusal(R"({"where": {"strategi": "ring"}, "metric": "time", "at_least": "0 ps"})") ==
        kAt + "/where/strategi: unknown key \"strategi\"; did you mean \"strategy\"?");
  CHECK(refusal(R"({"where": {"bytes": "64"}, "metric": "time", "at_least": "0 ps"})") ==
        kAt + "/where/bytes: \"64\" has no unit; write \"64 MB\"");
  CHECK(refusal(R"({"where": {"collective": "alreduce"}, "metric": "time", "at_least": "0 ps"})") ==
        kAt + "/where/collective: unknown collective \"alreduce\"; did you mean \"allreduce\"?");
  CHECK(refusal(R"({"where": {"strategy": {"nam": "ring"}}, "metric": "time",
                    "at_least": "0 ps"})") ==
        kAt + "/where/strategy/nam: unknown key \"nam\"; did you mean \"name\"?");
}

TEST_CASE("phases and links that the run lacks are refused, with those that it has") {
  CHECK(refusal(R"({"metric": "phase.reduce.time", "at_least": "0 ps"})") ==
        kAt + ": unknown phase of this run \"reduce\"; choose one of reduce-scatter, all-gather");
  CHECK(refusal(R"({"metric": "link.gpu0>switch1.bytes", "at_least": "0 B"})") ==
        kAt + ": unknown link direction \"gpu0>switch1\"; did you mean \"gpu0>switch0\"?");
}

TEST_CASE("expect is a list of claims") {
  CHECK(testing::read_refusal(testing::textbook(R"("strategy": "ring", "expect": {})")) ==
        "s.json:/expect: is an object; write a list [...]");
  CHECK(refusal("4") == kAt + ": is the number 4; write an object {...}");
}

}  // namespace syncsim
