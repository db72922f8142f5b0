#include "sim/scenario/selection.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/scenario/scenarios.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::selection_test {
namespace {

using testing::read;

using Indices = std::vector<std::size_t>;
using Labels = std::vector<std::string>;

// The points of a scenario that a claim with this "where" speaks of.
Indices selected(const Scenario& scenario, const std::vector<Report>& reports,
                 const std::string& where) {
  const JsonReader claim =
      JsonFile::parse(R"({"metric": "time", "at_least": "0 ps", "where": )" + where + "}",
                      scenario.file)
          .root();
  return select(read_expectation(claim).first, scenario.points, reports);
}

// Ones that differ in every field that a selector can name.
const Scenario& various() {
  static const Scenario scenario = read(R"({"bytes": 64, "strategy": "ring", "points": [
    {"topology": "pcie_4gpu", "name": "first"},
    {"topology": "pcie_4gpu", "ranks": "0-1", "bytes": "1 kB"},
    {"topology": "pcie_8gpu", "ranks": "3-0", "collective": "reduce", "datatype": "int8"},
    {"topology": "pcie_4gpu", "strategy": "distributed", "rates": "usable"},
    {"topology": "pcie_4gpu", "strategy": {"name": "ring", "parameters": {"chunks": 8}}},
    {"topology": {"kind": "star", "gpus": 3, "name": "trio",
                  "link": {"kind": "pcie", "bandwidth": "1 GB/s"}}}]})");
  return scenario;
}

Indices of_various(const std::string& where) {
  static const std::vector<Report> reports = testing::run_all(various());
  return selected(various(), reports, where);
}

// What the scenario's points are called.
Labels labels(const std::string& text) {
  const Scenario scenario = read(text);
  const std::vector<Report> reports = testing::run_all(scenario);
  Labels result;
  for (std::size_t i = 0; i < reports.size(); ++i)
    result.push_back(point_label(i, scenario.points, reports));
  return result;
}

Labels swept(const std::string& sweep) {
  return labels(R"({"topology": "pcie_4gpu", "bytes": 64, "strategy": "ring", "sweep": )" + sweep +
                "}");
}

}  // namespace

TEST_CASE("an empty selector selects all points, in order") {
  CHECK(of_various("{}") == Indices{0, 1, 2, 3, 4, 5});
}

TEST_CASE("points are selected by each of their fields") {
  CHECK(of_various(R"({"name": "first"})") == Indices{0});
  CHECK(of_various(R"({"topology": "pcie_8gpu"})") == Indices{2});
  CHECK(of_various(R"({"topology": "trio"})") == Indices{5});
  CHECK(of_various(R"({"strategy": "distributed"})") == Indices{3});
  CHECK(of_various(R"({"bytes": "1 kB"})") == Indices{1});
  CHECK(of_various(R"({"bytes": 1000})") == Indices{1});
  CHECK(of_various(R"({"datatype": "int8"})") == Indices{2});
  CHECK(of_various(R"({"collective": "reduce"})") == Indices{2});
  CHECK(of_various(R"({"rates": "usable"})") == Indices{3});
}

TEST_CASE("ranks are selected by their number, or by which they are") {
  CHECK(of_various(R"({"ranks": 2})") == Indices{1});
  CHECK(of_various(R"({"ranks": 4})") == Indices{0, 2, 3, 4});
  CHECK(of_various(R"({"ranks": "0,1"})") == Indices{1});
  CHECK(of_various(R"({"ranks": "3,2,1,0"})") == Indices{2});
}

TEST_CASE("parameters are selected by their values, defaults included") {
  CHECK(of_various(R"({"parameters": {"chunks": 8}})") == Indices{4});
  CHECK(of_various(R"({"parameters": {"chunks": "8"}})") == Indices{4});
  CHECK(of_various(R"({"parameters": {"chunks": "auto"}})") == Indices{0, 1, 2, 5});
  CHECK(of_various(R"({"strategy": {"name": "ring", "parameters": {"chunks": 8}}})") == Indices{4});
  CHECK(of_various(R"({"strategy": {"name": "ring"}})") == Indices{0, 1, 2, 4, 5});
}

TEST_CASE("every field of a selector has to match") {
  CHECK(of_various(R"({"topology": "pcie_4gpu", "strategy": "ring"})") == Indices{0, 1, 4});
  CHECK(of_various(R"({"topology": "pcie_4gpu", "ranks": 4, "rates": "line"})") == Indices{0, 4});
}

TEST_CASE("a machine's file is selected as the point names it") {
  const testing::TemporaryFolder folder;
  folder.write("machines/own.json", R"({"kind": "star", "gpus": 2, "name": "own",
    "link": {"kind": "pcie", "bandwidth": "1 GB/s"}})");
  const std::string file = folder.write("s.json", R"({"topology": "machines/own.json",
    "strategy": "ring", "bytes": 64})");
  const Scenario scenario = read_scenario(JsonFile::load(file).root());
  const std::vector<Report> reports = testing::run_all(scenario);
  CHECK(selected(scenario, reports, R"({"topology": "machines/own.json"})") == Indices{0});
  CHECK(selected(scenario, reports, R"({"topology": "own"})") == Indices{0});
}

TEST_CASE("points are selected by their reductions") {
  const Scenario scenario = read(R"({"topology": "pcie_4gpu", "bytes": 64, "strategy": "ring",
                                     "sweep": {"reduction": ["on-arrival", "staged"]}})");
  const std::vector<Report> reports = testing::run_all(scenario);
  CHECK(selected(scenario, reports, R"({"reduction": "staged"})") == Indices{1});
}

TEST_CASE("a selector takes every field of points, as points have it") {
  for (const std::string& field : point_fields()) {
    CAPTURE(field);
    const bool is_flag = field == "overlap" || field == "early_forward";
    const std::string value = is_flag ? "0" : "false";
    const std::string wrong = testing::refusal_of([&] {
      read_selector(JsonFile::parse("{\"" + field + "\": " + value + "}", "s.json").root());
    });
    CHECK(wrong.starts_with("s.json:/" + field + ": "));
    CHECK(wrong.find("unknown key") == wrong.npos);
  }
}

TEST_CASE("points are selected by what they leave out, too: the default") {
  const Scenario scenario =
      read(R"({"topology": "pcie_4gpu", "bytes": 64, "strategy": "distributed",
    "points": [{}, {"root": 2, "collective": "broadcast"}, {"overhead": "1 us"}, {"seed": 3},
               {"start": {"1": "2 us"}}, {"events": ["at 1 us kind:pcie bandwidth=8 GB/s"]},
               {"executor": "simulated", "strategy": {"name": "ring", "parameters": {"chunks": 2}}}]})");
  const std::vector<Report> reports = testing::run_all(scenario);
  const auto of = [&](const std::string& where) { return selected(scenario, reports, where); };
  CHECK(of(R"({"root": 2})") == Indices{1});
  CHECK(of(R"({"root": 0, "overhead": "0 ps", "seed": 0, "start": {}, "events": [],
               "strategy": "distributed"})") == Indices{0});
  CHECK(of(R"({"overhead": "1000 ns"})") == Indices{2});
  CHECK(of(R"({"seed": 3})") == Indices{3});
  CHECK(of(R"({"start": {"1": "2 us"}})") == Indices{4});
  CHECK(of(R"({"events": ["at 1 us kind:pcie bandwidth=8 GB/s"]})") == Indices{5});
  CHECK(of(R"({"executor": "simulated"})").size() == 7);
  CHECK(of(R"({"parameters.chunks": 2})") == Indices{6});
  CHECK(of(R"({"parameters.directions": "one"})") == Indices{6});
}

TEST_CASE("points are selected by their edits: the name, the text, the list, or none") {
  const Scenario scenario = read(R"({"topology": "pcie_4gpu", "bytes": 64, "strategy": "ring",
    "sweep": {"edits": [[], ["disable p2p"], ["disable p2p", "scale kind:pcie bandwidth 0.5"],
                        {"name": "slow", "edits": ["scale kind:pcie bandwidth 0.5"]},
                        {"name": "as it is", "edits": []}]}})");
  const std::vector<Report> reports = testing::run_all(scenario);
  const auto of = [&](const std::string& edits) {
    return selected(scenario, reports, R"({"edits": )" + edits + "}");
  };
  CHECK(of("[]") == Indices{0, 4});
  CHECK(of(R"("as it is")") == Indices{4});
  CHECK(of(R"({"name": "as it is", "edits": []})") == Indices{4});
  CHECK(of(R"(["disable p2p"])") == Indices{1});
  CHECK(of(R"([{"disable": "p2p"}])") == Indices{1});
  CHECK(of(R"("disable p2p")") == Indices{1});
  CHECK(of(R"("disable p2p; scale kind:pcie bandwidth 0.5")") == Indices{2});
  CHECK(of(R"("slow")") == Indices{3});
  CHECK(of(R"(["scale kind:pcie bandwidth 0.5"])") == Indices{3});
}

TEST_CASE("a machine that the scenario holds is selected by itself") {
  CHECK(of_various(R"({"topology": {"kind": "star", "gpus": 3, "name": "trio",
                      "link": {"kind": "pcie", "bandwidth": "1 GB/s"}}})") == Indices{5});
}

TEST_CASE("a single point needs no label") {
  CHECK(labels(R"({"topology": "pcie_4gpu", "bytes": 64, "strategy": "ring"})") == Labels{""});
}

TEST_CASE("a point with a name is called by it") {
  CHECK(labels(R"({"topology": "pcie_4gpu", "bytes": 64, "strategy": "ring",
                   "points": [{"name": "first"}, {"bytes": 128}]})") == Labels{"first", "128 B"});
}

TEST_CASE("namesakes are told by the fields that differ among them") {
  CHECK(labels(R"({"topology": "pcie_4gpu", "strategy": "ring",
                   "points": [{"name": "first"}, {"name": "second", "rates": "usable"}],
                   "sweep": {"bytes": [64, 128]}})") ==
        Labels{"first, 64 B", "first, 128 B", "second, 64 B", "second, 128 B"});
}

TEST_CASE("a point without a name is called by the fields that differ") {
  CHECK(swept(R"({"strategy": ["ring", "distributed"]})") == Labels{"ring", "distributed"});
  CHECK(swept(R"({"bytes": [64, "1 MB"]})") == Labels{"64 B", "1 MB"});
  CHECK(swept(R"({"collective": ["reduce", "broadcast"]})") == Labels{"reduce", "broadcast"});
  CHECK(swept(R"({"rates": ["line", "usable"]})") == Labels{"line rates", "usable rates"});
  CHECK(swept(R"({"datatype": ["int8", "float32"]})") == Labels{"int8", "float32"});
  CHECK(swept(R"({"root": [0, 2]})") == Labels{"root 0", "root 2"});
  CHECK(swept(R"({"overhead": ["0 ps", "1.5 us"]})") == Labels{"overhead 0 ps", "overhead 1.5 us"});
  CHECK(swept(R"({"reduction": ["on-arrival", "staged"]})") ==
        Labels{"on-arrival sums", "staged sums"});
  CHECK(swept(R"({"seed": [0, 5]})") == Labels{"seed 0", "seed 5"});
  CHECK(swept(R"({"parameters": [{"chunks": 8}, {"directions": "both"}]})") ==
        Labels{"ring chunks=8", "ring directions=both"});
  CHECK(swept(R"({"edits": [[], ["scale kind:pcie bandwidth 0.5", "remove node:cpu0"]]})") ==
        Labels{"no edits", "scale kind:pcie bandwidth 0.5; remove node:cpu0"});
}

TEST_CASE("subsets of a machine's ranks are told by their number, or else by which they are") {
  CHECK(swept(R"({"ranks": ["0-1", "0-3"]})") == Labels{"2 ranks", "4 ranks"});
  CHECK(swept(R"({"ranks": ["0-1", "2,3"]})") == Labels{"ranks 0,1", "ranks 2,3"});
}

TEST_CASE("a machine's name says its size: the number of ranks is not repeated") {
  CHECK(labels(R"({"bytes": 64, "strategy": "ring",
                   "sweep": {"topology": ["pcie_4gpu", "pcie_8gpu"]}})") ==
        Labels{"pcie_4gpu", "pcie_8gpu"});
}

TEST_CASE("several fields that differ stand side by side") {
  CHECK(swept(R"({"strategy": ["ring", "distributed"], "bytes": [64, 128]})") ==
        Labels{"ring, 64 B", "ring, 128 B", "distributed, 64 B", "distributed, 128 B"});
}

}  // namespace syncsim::selection_test
