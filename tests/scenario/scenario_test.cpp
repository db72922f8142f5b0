// What scenario files say.

#include "sim/scenario/scenario.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/scenario/scenarios.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::scenario_test {
namespace {

using testing::read;

// "160000000 ring" for each point.
std::vector<std::string> sizes_and_strategies(const Scenario& scenario) {
  std::vector<std::string> result;
  for (const Point& point : scenario.points)
    result.push_back(std::to_string(point.bytes.count) + " " + point.strategy);
  return result;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("without points and sweep a scenario is one point, of its own fields") {
  const Scenario scenario = read(R"({
    "name": "one", "source": "a book", "note": "a note", "topology": "dgx1v",
    "collective": "all_gather", "bytes": "16 MB", "datatype": "int8", "root": 3, "ranks": "4-7",
    "strategy": {"name": "ring", "parameters": {"chunks": 8, "directions": "both"}},
    "edits": ["remove kind:pcie", {"link": "gpu0-gpu1", "bandwidth": "8 GB/s", "latency": "2 us"}],
    "executor": "simulated", "rates": "usable", "overhead": "3 us", "seed": 7})");
  CHECK(scenario.file == "s.json");
  CHECK(scenario.name == "one");
  CHECK(scenario.source == "a book");
  CHECK(scenario.note == "a note");
  CHECK(scenario.expectations.empty());
  REQUIRE(scenario.points.size() == 1);
  const Point& point = scenario.points[0];
  CHECK(point.name.empty());
  CHECK(point.topology == "dgx1v");
  CHECK(point.collective == CollectiveKind::all_gather);
  CHECK(point.bytes == Bytes{16'000'000});
  CHECK(point.datatype == "int8");
  CHECK(point.root == 3);
  CHECK(point.ranks == std::vector<int>{4, 5, 6, 7});
  CHECK(point.strategy == "ring");
  CHECK(point.parameters ==
        std::map<std::string, std::string>{{"chunks", "8"}, {"directions", "both"}});
  CHECK(point.executor == "simulated");
  CHECK(point.rates == Rates::usable);
  CHECK(point.overhead == Time{3'000'000});
  CHECK(point.seed == 7);
  REQUIRE(point.edits.size() == 2);
  CHECK(point.edits[0].text == "remove kind:pcie");
  CHECK(point.edits[1].text == "link:gpu0-gpu1 bandwidth=8 GB/s latency=2 us");
}

TEST_CASE("what a point does not say has a default") {
  const Scenario scenario = read(R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 1000})");
  CHECK(scenario.name == "s");  // the file's
  const Point& point = scenario.points.at(0);
  CHECK(point.bytes == Bytes{1'000});
  CHECK(point.collective == CollectiveKind::allreduce);
  CHECK(point.datatype == "float32");
  CHECK(point.root == 0);
  CHECK(point.ranks.empty());
  CHECK(point.parameters.empty());
  CHECK(point.edits.empty());
  CHECK(point.executor == "simulated");
  CHECK(point.rates == Rates::line);
  CHECK(point.overhead == Time{0});
  CHECK(point.seed == 0);
}

TEST_CASE("listed points take the file's fields, and their own over them") {
  const Scenario scenario = read(R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": "1 MB",
    "points": [{"name": "as the file"}, {"bytes": "2 MB"}, {"strategy": "distributed"}]})");
  CHECK(sizes_and_strategies(scenario) ==
        Texts{"1000000 ring", "2000000 ring", "1000000 distributed"});
  CHECK(scenario.points[0].name == "as the file");
  CHECK(scenario.points[1].name.empty());
}

TEST_CASE("a sweep multiplies, its last key the fastest") {
  const Scenario scenario = read(R"({"topology": "pcie_4gpu",
    "sweep": {"bytes": ["1 MB", "2 MB"], "strategy": ["ring", "distributed", "central_gpu"]}})");
  CHECK(sizes_and_strategies(scenario) == Texts{"1000000 ring", "1000000 distributed",
                                                "1000000 central_gpu", "2000000 ring",
                                                "2000000 distributed", "2000000 central_gpu"});
  const Scenario turned = read(R"({"topology": "pcie_4gpu",
    "sweep": {"strategy": ["ring", "distributed"], "bytes": ["1 MB", "2 MB"]}})");
  CHECK(sizes_and_strategies(turned) ==
        Texts{"1000000 ring", "2000000 ring", "1000000 distributed", "2000000 distributed"});
}

TEST_CASE("a sweep multiplies every listed point, and lies over the file's fields") {
  const Scenario scenario = read(R"({"topology": "pcie_4gpu", "bytes": "9 MB",
    "points": [{"strategy": "ring"}, {"strategy": "distributed"}],
    "sweep": {"bytes": ["1 MB", "2 MB"]}})");
  CHECK(sizes_and_strategies(scenario) ==
        Texts{"1000000 ring", "2000000 ring", "1000000 distributed", "2000000 distributed"});
}

TEST_CASE("a sweep can vary a strategy's parameters alone") {
  const Scenario scenario = read(R"({"topology": "pcie_4gpu", "bytes": "1 MB",
    "strategy": {"name": "ring", "parameters": {"chunks": "4", "directions": "both"}},
    "sweep": {"parameters": [{"chunks": 8}, {"chunks": 16}]}})");
  REQUIRE(scenario.points.size() == 2);
  CHECK(scenario.points[0].parameters ==
        std::map<std::string, std::string>{{"chunks", "8"}, {"directions", "both"}});
  CHECK(scenario.points[1].parameters.at("chunks") == "16");
}

TEST_CASE("every value knows where it was written") {
  const Scenario scenario = read(R"({"topology": "pcie_4gpu", "bytes": "1 MB",
    "points": [{"strategy": "ring"}, {"strategy": "ring", "ranks": "0-1"}],
    "sweep": {"root": [0, 1]}})");
  const Point& last = scenario.points.at(3);
  CHECK(last.place("topology") == "s.json:/topology");
  CHECK(last.place("bytes") == "s.json:/bytes");
  CHECK(last.place("strategy") == "s.json:/points/1/strategy");
  CHECK(last.place("ranks") == "s.json:/points/1/ranks");
  CHECK(last.place("root") == "s.json:/sweep/root/1");
  CHECK(last.place("seed").empty());
}

TEST_CASE("a machine may be written in the scenario itself") {
  const Scenario scenario = read(R"({"strategy": "ring", "bytes": 1600,
    "topology": {"kind": "star", "gpus": 4, "link": {"kind": "pcie", "bandwidth": "16 GB/s"}}})");
  const Point& point = scenario.points.at(0);
  CHECK(point.topology.empty());
  REQUIRE(point.inline_topology.has_value());
  CHECK(testing::run(point).facts.topology == "star of 4");
}

TEST_CASE("a relative path to a machine is taken from the scenario's directory") {
  const testing::TemporaryFolder folder;
  folder.write("machines/own.json", R"({"kind": "star", "gpus": 2, "name": "own",
    "link": {"kind": "pcie", "bandwidth": "1 GB/s"}})");
  const std::string file = folder.write("scenarios/s.json", R"({
    "topology": "../machines/own.json", "strategy": "ring", "bytes": 2000, "datatype": "int8"})");
  const Scenario scenario = read_scenario(JsonFile::load(file).root());
  CHECK(testing::run(scenario.points.at(0)).facts.topology == "own");
}

TEST_CASE("an absolute path and a shelf name are taken as they are") {
  CHECK(read(R"({"topology": "/machines/own.json", "strategy": "ring", "bytes": 4})")
            .points[0]
            .topology == "/machines/own.json");
  CHECK(read(R"({"topology": "dgx2", "strategy": "ring", "bytes": 4})").points[0].topology ==
        "dgx2");
}

TEST_CASE("every field of a point can be swept") {
  for (const std::string& field : point_fields()) {
    CAPTURE(field);
    CHECK(testing::read_refusal("{\"sweep\": {\"" + field + "\": []}}") ==
          "s.json:/sweep/" + field + ": is empty; list at least one value");
  }
}

}  // namespace syncsim::scenario_test
