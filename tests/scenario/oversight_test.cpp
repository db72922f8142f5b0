// Points that are watched, interrupted, or refused for their size.

#include <doctest/doctest.h>

#include <limits>

#include "tests/scenario/scenarios.h"

namespace syncsim::oversight_test {
namespace {

using testing::read;
using testing::refusal_of;

// Stops a stage when it has done so much.
struct StopIn : Watch {
  StopIn(Stage in, std::uint64_t at) : stage(in), least(at) {}
  bool goes_on(const Progress& progress) override {
    return progress.stage != stage || progress.done < least;
  }
  Stage stage;
  std::uint64_t least;
};

// A ring of 64 GPUs, 64 kB each a chunk: 8,064 transfers of 1 kB, at 1 GB/s 126 steps of 1 us.
Point ring() {
  return read(R"({"topology": {"kind": "star", "gpus": 64,
                               "link": {"kind": "nvlink", "bandwidth": "1 GB/s"}},
                  "strategy": "ring", "bytes": "64 kB", "datatype": "int8"})")
      .points.at(0);
}

Interrupted stopped(Watch& watch) {
  RunSettings settings{.shelf = SYNCSIM_SHELF};
  settings.watch = &watch;
  try {
    run_point(ring(), settings);
  } catch (const Interrupted& interrupted) {
    return interrupted;
  }
  throw std::runtime_error("it went on");
}

std::string refusal_within(const Point& point, std::uint64_t bytes, bool check = true) {
  RunSettings settings{.shelf = SYNCSIM_SHELF, .check = check};
  settings.memory = {bytes, "--memory allows less"};
  return refusal_of([&] { run_point(point, settings); });
}

}  // namespace

TEST_CASE("an interrupted simulation tells ops, time and bytes") {
  StopIn watch(Stage::simulating, 4'000);
  const Interrupted interrupted = stopped(watch);
  CHECK(interrupted.progress.stage == Stage::simulating);
  CHECK(interrupted.progress.done % 64 == 0);  // between two steps of the ring
  CHECK(interrupted.progress.done >= 4'000);
  CHECK(interrupted.progress.total == 8'064);
  const auto steps = static_cast<std::int64_t>(interrupted.progress.done / 64);
  CHECK(interrupted.progress.simulated == Time{steps * 1'000'000});
  CHECK(interrupted.delivered == Bytes{steps * 64'000});
}

TEST_CASE("emission and proof can be interrupted too") {
  StopIn emitting(Stage::emitting, 4'096);
  CHECK(stopped(emitting).progress.done == 4'096);
  StopIn checking(Stage::checking, 1);
  CHECK(stopped(checking).progress.stage == Stage::checking);
}

TEST_CASE("a point that there is no memory for is refused at its ranks, or else its strategy") {
  CHECK(refusal_within(ring(), 100'000'000) == "accepted");
  CHECK(refusal_within(ring(), 5'100'000) ==
        "s.json:/strategy: ring on 64 ranks needs about 5.7 MB (8.1 k transfers), --memory allows "
        "less; use fewer ranks or chunks, or allow more with --memory");
  Point point = ring();
  point.places["ranks"] = "s.json:/ranks";
  CHECK(refusal_within(point, 5'100'000).starts_with("s.json:/ranks: ring on 64 ranks needs"));
}

TEST_CASE("so is a machine, before it is made, and before anything runs on it") {
  CHECK(refusal_within(ring(), 10'000) ==
        "s.json:/topology/gpus: the machine needs about 49 kB (64 nodes, 64 cables), --memory "
        "allows less; build a smaller one, or allow more with --memory");
  CHECK(refusal_within(ring(), 1'000'000) ==
        "s.json:/topology: a run on this machine needs about 5.1 MB (65 nodes), --memory allows "
        "less; take a smaller one, or allow more with --memory");
}

TEST_CASE("more ops than a schedule holds are refused with what they would need") {
  const Point point = read(R"({"topology": {"kind": "star", "gpus": 65536,
                               "link": {"kind": "nvlink", "bandwidth": "1 GB/s"}},
                               "strategy": "ring", "bytes": "64 MB"})")
                          .points.at(0);
  CHECK(refusal_within(point, std::numeric_limits<std::uint64_t>::max()) ==
        "s.json:/strategy: ring on 65536 ranks makes 8.6 G transfers (about 670 GB), more than the "
        "2147483647 ops that a schedule holds; use fewer ranks or chunks");
}

TEST_CASE("claims that were not run say what they would have had to show") {
  const Scenario scenario = read(R"({"topology": "pcie_4gpu", "bytes": "160 MB",
    "sweep": {"strategy": ["ring", "distributed"]}, "source": "a book",
    "expect": [{"metric": "time", "value": "15 ms", "tolerance": "0.1 %"},
               {"metric": "busbw", "at_least": "8 GB/s"},
               {"metric": "time", "order": "increasing"},
               {"metric": "time", "of": {"strategy": "ring"}, "less_than":
                {"strategy": "distributed"}, "by_factor": 2},
               {"metric": "time", "of": {"strategy": "ring"}, "less_than":
                {"strategy": "distributed"}}]})");
  std::vector<std::string> expected;
  for (const Claim& claim : not_run({"s.json", "all", "a book", ""}, scenario.expectations)) {
    CHECK(claim.name == "all");
    CHECK(claim.source == "a book");
    CHECK(!claim.decided);
    expected.push_back(claim.expected);
  }
  CHECK(expected ==
        std::vector<std::string>{"15 ms", ">= 8 GB/s", "increasing", ">= factor 2", "<"});
}

}  // namespace syncsim::oversight_test
