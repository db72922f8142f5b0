// One point, run: what it gives, and what it refuses late, with the place where it was written.

#include "sim/scenario/run.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/scenario/scenarios.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::run_test {
namespace {

using testing::read;
using testing::refusal;
using testing::textbook;

Report report_of(const std::string& fields) {
  return testing::run(read(textbook(fields)).points.at(0));
}

}  // namespace

TEST_CASE("a report says what was asked") {
  const Report report = testing::run(read(R"({"topology": "pcie_4gpu", "bytes": 1000,
    "name": "all", "collective": "reduce", "root": 1, "datatype": "float16", "ranks": "2,0,1",
    "strategy": {"name": "ring", "parameters": {"chunks": 2}}, "rates": "usable",
    "edits": ["link:gpu0-switch0 bandwidth=8 GB/s"]})")
                                         .points.at(0));
  CHECK(report.facts.topology == "pcie_4gpu");
  CHECK(report.facts.edits == std::vector<std::string>{"link:gpu0-switch0 bandwidth=8 GB/s"});
  CHECK(report.facts.strategy == "ring");
  CHECK(report.facts.parameters == std::map<std::string, std::string>{
                                       {"chunks", "2"}, {"directions", "one"}, {"rings", "auto"}});
  CHECK(report.facts.changed == std::map<std::string, std::string>{{"chunks", "2"}});
  CHECK(report.facts.collective.kind == CollectiveKind::reduce);
  CHECK(report.facts.collective.ranks == 3);
  CHECK(report.facts.collective.bytes == Bytes{1'000});
  CHECK(report.facts.collective.datatype == "float16");
  CHECK(report.facts.collective.root == 1);
  CHECK(report.facts.executor == "simulated");
  CHECK(report.facts.rates == Rates::usable);
}

TEST_CASE("the textbook's figures, by way of a scenario") {
  CHECK(report_of(R"("strategy": "central_gpu")").time == Time{60'000'000'000});
  CHECK(report_of(R"("strategy": "central_cpu")").time == Time{80'000'000'000});
  CHECK(report_of(R"("strategy": "distributed")").time == Time{15'000'000'000});
  CHECK(report_of(R"("strategy": "distributed")").efficiency == doctest::Approx(1).epsilon(1e-14));
}

TEST_CASE("the name of a point is its report's") {
  const Scenario scenario = read(textbook(R"("strategy": "ring", "points": [{"name": "first"}])"));
  CHECK(testing::run(scenario.points[0]).facts.name == "first");
}

TEST_CASE("ranks are taken from the machine's, in the order written") {
  const Report report = testing::run(
      read(R"({"topology": "pcie_8gpu", "bytes": 1600, "datatype": "int8", "ranks": "7,0",
               "strategy": {"name": "ring", "parameters": {"chunks": 1}}})")
          .points.at(0));
  REQUIRE(report.critical_path.size() == 2);
  CHECK(report.critical_path[0].from == "gpu7");
  CHECK(report.critical_path[0].to == "gpu0");
}

TEST_CASE("edits change the machine that is run on") {
  CHECK(
      report_of(R"("strategy": "distributed", "edits": ["scale kind:pcie bandwidth 0.5"])").time ==
      Time{30'000'000'000});
}

TEST_CASE("a transfer's overhead is the run's") {
  // two steps, each 1 us longer
  CHECK(report_of(R"("strategy": "distributed", "overhead": "1 us")").time == Time{15'002'000'000});
}

TEST_CASE("a point's reductions are made on arrival unless it says staged") {
  // rank 0 adds up 480 MB at 16 GB/s: beside the wire, or after it
  const std::string slow =
      R"("strategy": "central_gpu", "edits": ["node:gpu0 reduce_bandwidth=16 GB/s"])";
  CHECK(report_of(slow).time == Time{60'000'000'000});
  const Report staged = report_of(slow + R"(, "reduction": "staged")");
  CHECK(staged.time == Time{90'000'000'000});
  CHECK(staged.facts.reduction == Reduction::staged);
}

TEST_CASE("a point's seed picks among equal ways") {
  const auto busiest = [](const std::string& seed) {
    const std::string scenario = R"({"strategy": "ring", "collective": "broadcast", "bytes": 64,
      "topology": {"name": "two ways",
        "link_types": {"x16": {"kind": "pcie", "bandwidth": "16 GB/s"}},
        "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "s[0-1]", "kind": "switch"}],
        "links": [{"between": ["gpu[0-1]", "s0"], "type": "x16"},
                  {"between": ["gpu[0-1]", "s1"], "type": "x16"}]},
      "seed": )";
    return testing::run(read(scenario + seed + "}").points.at(0)).busiest_link()->direction;
  };
  CHECK(busiest("0") == "gpu0>s1");  // seed + channel + destination node, of two ways
  CHECK(busiest("1") == "gpu0>s0");
  CHECK(busiest("2") == "gpu0>s1");
}

TEST_CASE("rates choose the figures of run and bound alike") {
  const Report report = report_of(R"("strategy": "distributed", "rates": "usable")");
  CHECK(report.time == Time{20'000'000'000});
  CHECK(report.bound.seconds == doctest::Approx(0.02).epsilon(1e-14));
}

TEST_CASE("unknown machines are refused where they are named") {
  CHECK(refusal(R"({"topology": "pcie_4gp", "strategy": "ring", "bytes": 4})") ==
        "s.json:/topology: unknown topology \"pcie_4gp\"; did you mean \"pcie_4gpu\"?");
  CHECK(
      refusal(R"({"topology": "/nowhere/m.json", "strategy": "ring", "bytes": 4})") ==
      "s.json:/topology: there is no file \"/nowhere/m.json\"; name a topology file, or a shipped "
      "machine without \".json\"");
}

TEST_CASE("a machine written in the scenario is refused where it is wrong") {
  CHECK(refusal(R"({"strategy": "ring", "bytes": 4,
    "topology": {"kind": "star", "gpus": 4, "link": {"kind": "pcie", "bandwidth": "16"}}})") ==
        "s.json:/topology/link/bandwidth: \"16\" has no unit; write \"16 GB/s\"");
}

TEST_CASE("a machine written in the scenario may be made of shipped ones, and of files beside it") {
  const testing::TemporaryFolder folder;
  std::filesystem::copy(SYNCSIM_SHELF "/pcie_4gpu.json", folder.path() + "/four.json");
  const std::string path = folder.write("s.json", R"({"topology": {"name": "two",
    "link_types": {"net": {"kind": "network", "bandwidth": "1 GB/s"}},
    "instances": [{"prefix": "a/", "topology": "pcie_4gpu"},
                  {"prefix": "b/", "topology": "four.json"}],
    "links": [{"between": ["a/cpu0", "b/cpu0"], "type": "net"}]},
    "bytes": "8 MB", "strategy": "ring"})");
  const Report report = testing::run(read_scenario(JsonFile::load(path).root()).points.at(0));
  CHECK(report.facts.collective.ranks == 8);
  CHECK(report.time == Time{14'000'000'000});  // 2 x 7/8 x 8 MB at 1 GB/s
}

TEST_CASE("ranks and roots that the machine lacks are refused where they are written") {
  CHECK(refusal(textbook(R"("strategy": "ring", "ranks": "2-4")")) ==
        "s.json:/ranks: rank 4 does not exist on pcie_4gpu; use ranks 0 to 3");
  CHECK(refusal(textbook(R"("strategy": "ring", "root": 4)")) ==
        "s.json:/root: root 4 is no rank; write a rank from 0 to 3");
}

TEST_CASE("a size that is no multiple of the element is refused") {
  CHECK(refusal(R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 1003})") ==
        "s.json:/bytes: 1003 B is no multiple of float32's 4 bytes; write 1 kB or 1004 B");
  CHECK(refusal(R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 1})") ==
        "s.json:/bytes: 1 B is no multiple of float32's 4 bytes; write 4 B");
}

TEST_CASE("what a strategy refuses has the place of the parameter, or the strategy's") {
  CHECK(refusal(textbook(R"("strategy": {"name": "ring", "parameters": {"chunk": 4}})")) ==
        "s.json:/strategy/parameters/chunk: unknown ring parameter \"chunk\"; did you mean "
        "\"chunks\"?");
  CHECK(refusal(textbook(R"("strategy": {"name": "central_gpu", "parameters": {"root": 4}})")) ==
        "s.json:/strategy/parameters/root: central_gpu parameter root: \"4\" is out of range; "
        "write one from 0 to "
        "3");
  CHECK(refusal(R"({"topology": "mi250", "strategy": "central_cpu", "bytes": 4})") ==
        "s.json:/strategy: machine \"mi250\" has no CPU to aggregate on; choose another strategy, "
        "or add a node of kind \"cpu\"");
}

TEST_CASE("a helper that edits cut off is refused at the machine") {
  CHECK(refusal(textbook(R"("strategy": "central_cpu", "edits": ["remove link:switch0-cpu0"])")) ==
        "s.json:/topology: no route from gpu0 to cpu0; join them by links through nodes that "
        "forward (a gpu forwards only when it says so)");
}

TEST_CASE("unknown executors are refused where they are named") {
  CHECK(refusal(textbook(R"("strategy": "ring", "executor": "simulate")")) ==
        "s.json:/executor: unknown executor \"simulate\"; did you mean \"simulated\"?");
}

TEST_CASE("edits that match nothing, or that cut ranks off, are refused") {
  CHECK(refusal(textbook(R"("strategy": "ring", "edits": ["remove link:gpu0-gpu1"])")) ==
        "s.json:/edits/0: edit \"remove link:gpu0-gpu1\": no link is called \"gpu0-gpu1\"; choose "
        "one of gpu0-switch0, gpu1-switch0, gpu2-switch0, gpu3-switch0, switch0-cpu0");
  CHECK(
      refusal(textbook(R"("strategy": "ring", "edits": [{"remove": "node:nic0"}])")) ==
      "s.json:/edits/0: edit \"remove node:nic0\": no node is called \"nic0\"; choose one of gpu0, "
      "gpu1, gpu2, gpu3, switch0, cpu0");
  CHECK(refusal(textbook(R"("strategy": "ring", "edits": ["scale kind:nvlink latency 2"])")) ==
        "s.json:/edits/0: edit \"scale kind:nvlink latency 2\": no link is of kind \"nvlink\"; "
        "choose one of pcie");
  CHECK(refusal(textbook(R"("strategy": "ring", "edits": ["remove link:gpu1-switch0"])")) ==
        "s.json:/edits/0: edit \"remove link:gpu1-switch0\": gpu1 (rank 1) is cut off from "
        "gpu0; keep a way between them, or leave some out of the ranks");
}

}  // namespace syncsim::run_test
