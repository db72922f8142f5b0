// A point is run, and run again with what might help.

#include "sim/scenario/explain.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/scenario/scenarios.h"

namespace syncsim::explain_test {
namespace {

Report explained(const std::string& point) {
  const Scenario scenario = testing::read(point);
  return run_explained(scenario.points.at(0), {.shelf = SYNCSIM_SHELF, .check = true});
}

const TriedChange& tried(const Report& report, const std::string& what) {
  const auto& all = report.explanation->tried;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const TriedChange& each) { return each.what == what; });
  REQUIRE(found != all.end());
  return *found;
}

}  // namespace

TEST_CASE("the textbook's central GPU: its own link binds, and doubling it halves the time") {
  const Report report =
      explained(R"({"topology": "pcie_4gpu", "strategy": "central_gpu", "bytes": "160 MB"})");
  CHECK(report.explanation->change ==
        "Doubling gpu0-switch0 alone would take it from 60.0000 ms to 30.0000 ms (2.00x).");
  CHECK(report.explanation->options == R"(--edit "scale link:gpu0-switch0 bandwidth 2")");
  CHECK(report.explanation->binds.starts_with("gpu0>switch0 binds, 16 GB/s"));
  CHECK(tried(report, "gpu1-switch0").speedup == 1);
  CHECK(tried(report, "every pcie link").time == Time{30'000'000'000});
}

TEST_CASE("each change is told as edits that give the time which it promises") {
  const Report report =
      explained(R"({"topology": "pcie_8gpu", "strategy": "central_cpu", "bytes": "16 MB"})");
  CHECK(report.explanation->tried.size() >= 5);
  for (const TriedChange& change : report.explanation->tried) {
    CAPTURE(change.what);
    Point point =
        testing::read(R"({"topology": "pcie_8gpu", "strategy": "central_cpu", "bytes": "16 MB"})")
            .points.at(0);
    for (const std::string& edit : change.edits) point.edits.push_back(parse_edit(edit));
    CHECK(testing::run(point).time == change.time);
  }
}

TEST_CASE("a node's own capacity is doubled too where it is among the busiest") {
  const Report report = explained(R"({"topology": "pcie_4gpu", "strategy": "central_cpu",
    "bytes": "160 MB", "edits": ["node:cpu0 reduce_bandwidth=4 GB/s"]})");
  const TriedChange& change = tried(report, "the reduce bandwidth of cpu0");
  CHECK(change.edits == std::vector<std::string>{"node:cpu0 reduce_bandwidth=8 GB/s"});
  CHECK(report.time == Time{200'000'000'000});  // 4 x 160 MB at 4 GB/s, then 40 ms back
  CHECK(change.time == Time{120'000'000'000});
  CHECK(report.explanation->change.starts_with(
      "Doubling the reduce bandwidth of cpu0 alone would take it from 200.0000 ms to 120.0000"));
}

TEST_CASE("what latency and overhead take is halved: four ranks of small chunks") {
  const Report report = explained(R"({"topology": "pcie_4gpu", "strategy": "ring",
    "bytes": "16 B", "overhead": "10 us", "edits": ["kind:pcie latency=1 us"]})");
  const TriedChange& change = tried(report, "every latency and the overhead");
  CHECK(change.speedup == doctest::Approx(2).epsilon(1e-3));
  CHECK(report.explanation->change.starts_with("Halving every latency and the overhead would"));
  CHECK(report.explanation->binds.starts_with("No link binds"));
  CHECK(change.options == R"(--edit "scale kind:pcie latency 0.5" --overhead "5 us")");
}

TEST_CASE("a late rank is what is told first, and tried on time: a ring that waits 5 ms of 20") {
  const Report report = explained(
      R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": "160 MB", "start": {"3": "5 ms"}})");
  CHECK(report.explanation->binds.starts_with(
      "Rank 3 (gpu3) comes 5 ms late, and the critical path of 20.0000 ms begins with that; with "
      "rank 3 on time it takes 15.0000 ms. "));
  const TriedChange& change = tried(report, "rank 3 on time");
  CHECK(change.time == Time{15'000'000'000});
  CHECK(change.options == "--start \"3=0 s\"");
  CHECK(change.edits.empty());
}

TEST_CASE("of several late ranks the last is tried on time, and all of them") {
  const Report report = explained(R"({"topology": "pcie_4gpu", "strategy": "ring",
    "bytes": "160 MB", "start": {"0": "5 ms", "1": "4 ms", "3": "5 ms"}})");
  CHECK(tried(report, "rank 0 on time").speedup == 1);
  CHECK(tried(report, "all ranks on time").time == Time{15'000'000'000});
  CHECK(tried(report, "all ranks on time").options == "--start \"0-1,3=0 s\"");
}

TEST_CASE("a late rank that nothing waits for is not told of") {
  const Report report = explained(R"({"topology": "pcie_4gpu", "strategy": "central_gpu",
    "bytes": "160 MB", "start": {"3": "5 ms"}})");
  CHECK(report.explanation->binds.starts_with("gpu0>switch0 binds"));
  CHECK(tried(report, "rank 3 on time").speedup == 1);
}

TEST_CASE("with overheads a link buys what it brings, not what trees laid anew bring") {
  const Report report = explained(R"({"topology": "hgx_h100", "strategy": "packed_trees",
    "bytes": "64 MB", "overhead": "10 us"})");
  for (const TriedChange& change : report.explanation->tried) {
    CAPTURE(change.what);
    if (change.kind == ChangeKind::link) CHECK(change.speedup < 1.01);
    CHECK(change.without <= report.time);
  }
}

TEST_CASE("a choice keeps what it chose, and the point's own edits stay") {
  const Report report = explained(R"({"topology": "pcie_4gpu", "strategy": "auto",
    "bytes": "160 MB", "edits": ["scale kind:pcie bandwidth 0.5"]})");
  CHECK(report.time == Time{30'000'000'000});
  CHECK(tried(report, "every pcie link").time == Time{15'000'000'000});
  CHECK(report.explanation->change.ends_with(" Tried with " + report.facts.choice->strategy +
                                             "; auto itself would choose anew."));
}

TEST_CASE("at most the five busiest links are tried alone, of a cable one direction") {
  const Report report = explained(R"({"topology": "dgx1v", "strategy": "ring", "bytes": "16 MB"})");
  const auto& all = report.explanation->tried;
  const auto links = std::count_if(all.begin(), all.end(), [](const TriedChange& change) {
    return change.kind == ChangeKind::link;
  });
  CHECK(links == 5);
  for (std::size_t i = 0; i + 1 < all.size(); ++i) CHECK(all[i].what != all[i + 1].what);
}

}  // namespace syncsim::explain_test
