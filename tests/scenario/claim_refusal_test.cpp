// Claims that are refused, by whole messages.

#include <doctest/doctest.h>

#include <string>

#include "tests/scenario/scenarios.h"

namespace syncsim::claim_refusal_test {
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
            "link.DIRECTION.bytes, "
            "link.DIRECTION.rate, link.DIRECTION.utilization, ...");
  CHECK(refusal(R"({"metric": "speed of light", "at_least": "1 ms"})") ==
        kAt +
            "/metric: unknown metric \"speed of light\"; choose one of time, bound, algbw, "
            "busbw, efficiency, ops, busiest_link.rate, busiest_link.utilization, "
            "phase.NAME.time, link.DIRECTION.bytes, "
            "link.DIRECTION.rate, link.DIRECTION.utilization, ...");
}

TEST_CASE("a link's metric that is written wrong is told of its own direction") {
  CHECK(refusal(R"({"metric": "link.gpu0>switch0.bites", "at_least": "1 MB"})") ==
        kAt +
            "/metric: unknown metric \"link.gpu0>switch0.bites\"; did you mean "
            "\"link.gpu0>switch0.bytes\"?");
}

TEST_CASE("a claim is of one kind") {
  CHECK(refusal(R"({"metric": "time"})") ==
        kAt +
            ": claims nothing; add one of value, at_least, at_most, order, less_than, over (with a "
            "value or bound), chosen, crossover");
  CHECK(refusal(R"({"metric": "time", "of": {}})") ==
        kAt +
            ": compares \"of\" with nothing; add \"less_than\", or \"over\" with \"value\", "
            "\"at_least\" or \"at_most\"");
  CHECK(refusal(R"({"metric": "time", "of": {}, "over": {}})") ==
        kAt +
            ": says of a ratio nothing; add \"value\" with a \"tolerance\", \"at_least\" or "
            "\"at_most\"");
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
  CHECK(refusal(R"({"metric": "ops", "value": 24, "tolerance": -1})") ==
        kAt + "/tolerance: -1 is negative; write 0 or more");
  CHECK(refusal(R"({"metric": "time", "value": "1 ms", "tolerance": "-1 us"})") ==
        kAt + "/tolerance: -1 us is negative; write 0 or more");
}

TEST_CASE("what is no tolerance is told how one of its metric looks") {
  const auto told = [](const std::string& claim) {
    const std::string text = refusal(claim);
    const std::string begin = kAt + "/tolerance: ";
    REQUIRE(text.starts_with(begin));
    return text.substr(begin.size());
  };
  const std::string or_percent = ", or a percentage such as \"0.1 %\"";
  CHECK(told(R"({"metric": "time", "value": "1 ms", "tolerance": "5 GB/s"})") ==
        "\"5 GB/s\" is no tolerance; write such as \"10 us\"" + or_percent);
  CHECK(told(R"({"metric": "time", "value": "1 ms", "tolerance": 5})") ==
        "\"5\" is no tolerance; write such as \"10 us\"" + or_percent);
  CHECK(told(R"({"metric": "time", "value": "1 ms", "tolerance": "1 percent"})") ==
        "\"1 percent\" is no tolerance; write such as \"10 us\"" + or_percent);
  CHECK(told(R"({"metric": "time", "value": "1 ms", "tolerance": "one %"})") ==
        "\"one %\" is no tolerance; write such as \"10 us\"" + or_percent);
  CHECK(told(R"({"metric": "busbw", "value": "1 GB/s", "tolerance": 0.5})") ==
        "\"0.5\" is no tolerance; write such as \"0.5 GB/s\"" + or_percent);
  CHECK(told(R"({"metric": "ops", "value": 24, "tolerance": "1"})") ==
        "\"1\" is no tolerance; write such as 2" + or_percent);
  CHECK(told(R"({"metric": "efficiency", "value": 0.5, "tolerance": null})") ==
        "\"null\" is no tolerance; write such as 0.01" + or_percent);
}

TEST_CASE("a bandwidth may be claimed exactly") {
  CHECK(refusal(R"({"metric": "algbw", "value": "1 GB/s", "tolerance": "0 GB/s"})") == "accepted");
}

TEST_CASE("no metric is below nothing") {
  CHECK(refusal(R"({"metric": "ops", "at_least": -1})") ==
        kAt + "/at_least: is negative; write 0 or more");
  CHECK(refusal(R"({"metric": "efficiency", "at_most": -0.5})") ==
        kAt + "/at_most: is negative; write 0 or more");
}

TEST_CASE("a ratio is a number, or a percentage") {
  const auto told = [](const std::string& value) {
    return refusal(R"({"metric": "time", "of": {}, "over": {}, "at_least": )" + value + "}");
  };
  const std::string no_factor =
      kAt + "/at_least: is no factor; write a number above 0, such as 1.5";
  CHECK(told(R"("2")") == no_factor);
  CHECK(told(R"("2 ms")") == no_factor);
  CHECK(told("[2]") == no_factor);
  CHECK(told(R"("100 %")") == "accepted");
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
  const std::string no_share =
      kAt + "/tolerance: is no share of the factor; write a percentage such as \"5 %\"";
  CHECK(refusal(R"({"metric": "time", "of": {}, "less_than": {}, "by_factor": 2,
                    "tolerance": "1 ms"})") == no_share);
  CHECK(refusal(R"({"metric": "time", "of": {}, "less_than": {}, "by_factor": 2,
                    "tolerance": 0.1})") == no_share);
}

TEST_CASE("a selection of no point is an error at its key, with what the points have") {
  CHECK(
      refusal(R"({"where": {"strategy": "distributed"}, "metric": "time", "at_least": "0 ps"})") ==
      kAt +
          "/where/strategy: selects no point: none has strategy \"distributed\"; choose one of "
          "ring");
  CHECK(refusal(R"({"where": {"strategy": "rign"}, "metric": "time", "at_least": "0 ps"})") ==
        kAt +
            "/where/strategy: selects no point: none has strategy \"rign\"; did you mean "
            "\"ring\"?");
  CHECK(refusal(R"({"where": {"bytes": 60}, "metric": "time", "order": "increasing"})") ==
        kAt + "/where/bytes: selects no point: none has bytes \"60\"; choose one of 64 B");
  CHECK(refusal(R"({"metric": "time", "of": {"ranks": 3}, "less_than": {}})") ==
        kAt + "/of/ranks: selects no point: none has ranks \"3\"; choose one of 4");
  CHECK(refusal(R"({"metric": "time", "of": {}, "less_than": {"ranks": 3}})") ==
        kAt + "/less_than/ranks: selects no point: none has ranks \"3\"; choose one of 4");
  CHECK(refusal(R"({"where": {"edits": "x8"}, "metric": "time", "at_least": "0 ps"})") ==
        kAt + "/where/edits: selects no point: none has edits \"x8\"; choose one of []");
  CHECK(refusal(R"({"where": {"parameters.chunk": 8}, "metric": "time", "at_least": "0 ps"})") ==
        kAt +
            "/where/parameters.chunk: selects no point: none has parameters.chunk \"8\"; leave "
            "it out, or add the point");
}

TEST_CASE("fields that no point has together: the later one is refused, with what is left") {
  CHECK(testing::refusal(R"({"topology": "pcie_4gpu",
          "points": [{"strategy": "ring", "bytes": 64}, {"strategy": "chain", "bytes": 128},
                     {"strategy": "chain", "bytes": 256}],
          "expect": [{"where": {"strategy": "chain", "bytes": 64}, "metric": "time",
                      "at_least": "0 ps"}]})") ==
        kAt +
            "/where/bytes: selects no point: none of those with the other fields has bytes "
            "\"64\"; choose one of 128 B, 256 B");
}

TEST_CASE("what a selection selects wrongly is told at the selection") {
  const auto told = [](const std::string& claim) {
    return testing::refusal(R"({"topology": "pcie_4gpu", "strategy": "ring",
        "sweep": {"bytes": [64, 128], "rates": ["line", "usable"]}, "expect": [)" +
                            claim + "]}");
  };
  CHECK(told(R"({"metric": "time", "order": "increasing",
                 "where": {"bytes": 64, "rates": "line"}})") ==
        kAt + "/where: orders one point; select two or more, or claim a value");
  CHECK(told(R"({"where": {"bytes": 64}, "chosen": "ring"})") ==
        kAt +
            "/where: speaks of a point that chooses nothing; select points whose strategy is "
            "\"auto\"");
  CHECK(told(R"({"crossover": {"between": ["ring", {"rates": "line"}]}, "from": 1, "to": 2})") ==
        kAt +
            "/crossover/between/0: selects two points of 64 B for one side: \"64 B, line rates\" "
            "and \"64 B, usable rates\"; narrow it, or both sides with \"where\"");
}

TEST_CASE("a selector names fields of points, with values of their types") {
  CHECK(refusal(R"({"where": {"strategi": "ring"}, "metric": "time", "at_least": "0 ps"})") ==
        kAt + "/where/strategi: unknown key \"strategi\"; did you mean \"strategy\"?");
  CHECK(refusal(R"({"where": {"chunks": 8}, "metric": "time", "at_least": "0 ps"})") ==
        kAt + "/where/chunks: unknown key \"chunks\"; did you mean \"parameters.chunks\"?");
  CHECK(
      refusal(R"({"where": {"colour": 8}, "metric": "time", "at_least": "0 ps"})") ==
      kAt +
          "/where/colour: unknown key \"colour\"; choose one of name, topology, edits, "
          "collective, bytes, datatype, root, ranks, strategy, parameters, executor, rates, "
          "overhead, reduction, seed, start, background, rings, library, events, keys, calls, "
          "model, "
          "batch, "
          "precision, device_speed, buckets, bucket_first, bucket_cap, fusion, cycle, "
          "bucket_order, overlap, "
          "early_forward, update, update_at, sharding, prefetch, steps, speeds, pauses, "
          "jitter, replicas, store, loading, published, fault, recovery, detect, restart, repair, "
          "checkpoint_every, checkpoint, mtbf, failures, parameters.NAME");
  CHECK(refusal(R"({"where": "ring", "metric": "time", "at_least": "0 ps"})") ==
        kAt +
            "/where: is a string; write fields of points, such as {\"strategy\": \"ring\"}; {}: "
            "all");
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
        kAt +
            "/metric: unknown phase of this run \"reduce\"; choose one of reduce-scatter, "
            "all-gather");
  CHECK(refusal(R"({"metric": "link.gpu0>switch1.bytes", "at_least": "0 B"})") ==
        kAt + "/metric: unknown link direction \"gpu0>switch1\"; did you mean \"gpu0>switch0\"?");
}

TEST_CASE("expect is a list of claims") {
  CHECK(testing::read_refusal(testing::textbook(R"("strategy": "ring", "expect": {})")) ==
        "s.json:/expect: is an object; write a list [...]");
  CHECK(refusal("4") == kAt + ": is the number 4; write an object {...}");
}

}  // namespace syncsim::claim_refusal_test
