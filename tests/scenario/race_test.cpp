// Races: the fastest of several candidates, and what becomes of the others.

#include "sim/scenario/race.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/scenario/scenarios.h"

namespace syncsim::race_test {
namespace {

using testing::read;

RunSettings settings_with(Watch* watch = nullptr) {
  RunSettings settings{.shelf = SYNCSIM_SHELF};
  settings.watch = watch;
  return settings;
}

Point point_of(const std::string& fields) {
  return read(R"({"strategy": "ring", )" + fields + "}").points.at(0);
}

Race race_on(const Point& point, const std::vector<Candidate>& candidates,
             const RunSettings& settings = settings_with()) {
  return race(point, setting_of(point, settings), candidates, settings);
}

Candidate named(const std::string& strategy, std::map<std::string, std::string> parameters = {}) {
  return {strategy, std::move(parameters)};
}

const std::string kTextbook = R"("topology": "pcie_4gpu", "bytes": "160 MB")";

// Stops when as many candidates are through.
struct StopAfter : Watch {
  explicit StopAfter(std::uint64_t count) : most(count) {}
  bool goes_on(const Progress& progress) override {
    seen.push_back(progress);
    return progress.done < most;
  }
  std::uint64_t most;
  std::vector<Progress> seen;
};

}  // namespace

TEST_CASE("the winner's report is that of its own run, proved, and nothing tried was faster") {
  const Point point = point_of(R"("topology": "mi300x", "bytes": "1 MB")");
  const Race all = race_on(point, candidates(CollectiveKind::allreduce));
  REQUIRE(all.winner);
  CHECK(all.winner->facts.checked);
  Point alone = point;
  alone.strategy = all.winner->facts.strategy;
  alone.parameters = all.winner->facts.changed;
  CHECK(testing::run(alone).time == all.winner->time);
  CHECK(all.tried.size() == candidates(CollectiveKind::allreduce).size());
  for (const Tried& tried : all.tried)
    CHECK(tried.time.value_or(all.winner->time) >= all.winner->time);
}

TEST_CASE("of equal times the first candidate wins") {
  const Point point = point_of(kTextbook);  // 15 ms either way
  CHECK(race_on(point, {named("ring"), named("distributed")}).winner->facts.strategy == "ring");
  CHECK(race_on(point, {named("distributed"), named("ring")}).winner->facts.strategy ==
        "distributed");
}

TEST_CASE("candidates that finished come first, the fastest of them in front") {
  const Race all = race_on(point_of(R"("topology": "mi250", "bytes": "1 MB")"),
                           {named("central_cpu"), named("one_shot"), named("ring")});
  REQUIRE(all.tried.size() == 3);
  CHECK(all.tried[0].time <= all.tried[1].time);
  CHECK(all.tried[2].strategy == "central_cpu");
  CHECK(!all.tried[2].time);
  CHECK(all.tried[2].why.find("has no CPU") != std::string::npos);
}

TEST_CASE("without a candidate that runs there is no winner") {
  const Race all = race_on(point_of(R"("topology": "mi250", "bytes": 4)"), {named("central_cpu")});
  CHECK(!all.winner);
}

TEST_CASE("a candidate is cut short at twice the time of the fastest so far") {
  // 126 steps of 1 us against 126 of 64 us, one chunk: looked at every 64 steps or 4,096 transfers
  const Point point = point_of(R"("topology": {"kind": "star", "gpus": 64, "link":
    {"kind": "nvlink", "bandwidth": "1 GB/s"}}, "bytes": "64 kB", "datatype": "int8")");
  const Race alone = race_on(point, {named("naive_ring")});
  CHECK(alone.winner->time == Time{126 * 64'000'000L});
  const Race both = race_on(point, {named("ring"), named("naive_ring")});
  CHECK(both.winner->time == Time{126'000'000});
  CHECK(both.tried[1].why == "more than twice as slow");
  CHECK(race_on(point, {named("naive_ring"), named("ring")}).tried[1].time ==
        alone.winner->time);  // whichever comes first runs whole
}

TEST_CASE("what a choice does not try is left out with the reason") {
  const Point many = point_of(R"("topology": {"kind": "star", "gpus": 1024, "link":
    {"kind": "nvlink", "bandwidth": "1 GB/s"}}, "bytes": "64 kB")");
  const Race all = race_on(
      many, {named("one_shot"), named("packed_trees"), named("chain", {{"chunks", "4096"}})});
  CHECK(!all.winner);
  CHECK(all.tried[0].why ==
        "one_shot on 1024 ranks makes 1.0 M transfers on 1.0 M lanes, more than "
        "a choice tries; run it by name");
  CHECK(all.tried[1].why ==
        "takes too long to find on 1024 ranks; run it by name, or on at most 256");
  CHECK(all.tried[2].why ==
        "chain on 1024 ranks makes 8.4 M transfers on 2.0 k lanes, more than a "
        "choice tries; run it by name");
}

TEST_CASE("a watch sees candidates, and may end the race") {
  const Point point = point_of(kTextbook);
  StopAfter watch(1);
  const std::vector<Candidate> all = {named("ring"), named("one_shot"), named("distributed")};
  try {
    race_on(point, all, settings_with(&watch));
    FAIL("it went on");
  } catch (const Interrupted& interrupted) {
    CHECK(interrupted.progress.stage == Stage::choosing);
    CHECK(interrupted.progress.done == 1);
    CHECK(interrupted.progress.total == 3);
  }
  for (const Progress& progress : watch.seen) CHECK(progress.stage == Stage::choosing);
}

TEST_CASE("memory that holds one schedule beside the best so far is enough") {
  const Point point = point_of(R"("topology": {"kind": "star", "gpus": 64, "link":
    {"kind": "nvlink", "bandwidth": "1 GB/s"}}, "bytes": "64 kB")");
  RunSettings settings = settings_with();
  settings.memory = {5'600'000, "--memory allows less"};
  const Race all = race_on(point, {named("binomial_tree"), named("ring")}, settings);
  REQUIRE(all.winner);
  CHECK(all.winner->facts.strategy == "binomial_tree");
  CHECK(all.tried[1].why.find("--memory allows less") != std::string::npos);
}

}  // namespace syncsim::race_test
