// Runs around the rings of a file.

#include "sim/scenario/rings_file.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/scenario/selection.h"
#include "tests/scenario/scenarios.h"
#include "tests/support/temporary_folder.h"

namespace syncsim {
namespace {

// Scenario files in a folder, with files of rings beside them.
struct Desk {
  Scenario scenario(const std::string& fields) const {
    const std::string file = folder.write(
        "s.json", R"({"topology": "dgx1v", "bytes": "8 MB", "datatype": "int8", )" + fields + "}");
    return read_scenario(JsonFile::load(file).root());
  }
  Report report(const std::string& fields) const {
    return testing::run(scenario(fields).points.at(0));
  }
  // The message, with the folder's path as "DIR".
  std::string refusal(const std::string& fields) const {
    std::string message = testing::refusal_of([&] { report(fields); });
    for (std::size_t at; (at = message.find(folder.path())) != message.npos;)
      message.replace(at, folder.path().size(), "DIR");
    return message;
  }

  testing::TemporaryFolder folder;
};

const std::string kLog =
    "n:1:2 [0] NCCL INFO Channel 00/03 :    0   3   2   1   5   6   7   4\n"
    "n:1:2 [0] NCCL INFO Channel 01/03 :    0   3   2   1   5   6   7   4\n"
    "n:1:2 [0] NCCL INFO Channel 02/03 :    0   4   6   7   5   1   3   2\n";
const std::string kRings = "0,3,2,1,5,6,7,4 x2; 0,4,6,7,5,1,3,2";
const std::string kRing = R"("strategy": "ring")";

std::string with_parameter(const std::string& rings) {
  return R"("strategy": {"name": "ring", "parameters": {"rings": ")" + rings + "\"}}";
}

}  // namespace

TEST_CASE("a run around the rings of a log takes the time of the same rings as a parameter") {
  const Desk desk;
  desk.folder.write("nccl.log", kLog);
  const Report given = desk.report(kRing + R"(, "rings": "nccl.log")");
  const Report same = desk.report(with_parameter(kRings));
  CHECK(given.time == same.time);
  CHECK(given.time != desk.report(with_parameter("0,1,2,3,4,5,6,7")).time);
  CHECK(given.facts.parameters == same.facts.parameters);
  CHECK(given.facts.parameters.at("rings") == kRings);
}

TEST_CASE("the rings of a graph file, or written as the parameter, do as well") {
  const Desk desk;
  desk.folder.write("graph.xml",
                    "<graphs><graph pattern=\"4\" nchannels=\"1\"><channel><gpu dev=\"0\"/>"
                    "<gpu dev=\"2\"/><gpu dev=\"1\"/></channel></graph></graphs>");
  desk.folder.write("rings.txt", " 0,2,1 x3;\n0,1,2\r\n");
  const std::string three = kRing + R"(, "ranks": "4,5,6", "rings": )";
  CHECK(desk.report(three + "\"graph.xml\"").facts.parameters.at("rings") == "0,2,1");
  const Report report = desk.report(three + "\"rings.txt\"");
  CHECK(report.time ==
        desk.report(R"("ranks": "4,5,6", )" + with_parameter("0,2,1 x3; 0,1,2")).time);
}

TEST_CASE("a sweep may run without the rings and with them, and claims choose between the two") {
  const Desk desk;
  desk.folder.write("nccl.log", kLog);
  const Scenario scenario =
      desk.scenario(kRing + R"(, "sweep": {"rings": [null, "nccl.log"]}, "expect": [
        {"where": {"rings": "nccl.log"}, "metric": "time", "at_least": "1 us"},
        {"where": {"rings": null}, "metric": "time", "at_least": "1 us"}])");
  const std::vector<Report> reports = testing::run_all(scenario);
  CHECK(reports.at(0).facts.parameters.at("rings") == "auto");
  CHECK(reports.at(1).facts.parameters.at("rings") == kRings);
  CHECK(testing::judged(scenario, reports).size() == 2);
  CHECK(point_label(0, scenario.points, reports).find("no file of rings") != std::string::npos);
}

TEST_CASE("rings that do not do are refused where they were written") {
  const Desk desk;
  desk.folder.write("nccl.log", kLog);
  desk.folder.write("rings.txt", "0,1,1");
  CHECK(desk.refusal(with_parameter("0,1") + R"(, "rings": "nccl.log")") ==
        "DIR/s.json:/rings: a file of rings is given, and the parameter rings too; leave one of "
        "the two out");
  CHECK(desk.refusal(R"("strategy": "distributed", "rings": "nccl.log")") ==
        "DIR/s.json:/rings: unknown distributed parameter \"rings\"; there are none");
  CHECK(desk.refusal(kRing + R"(, "rings": "no.log")") ==
        "DIR/no.log: there is no such file; name a log of NCCL_DEBUG=INFO, or what "
        "NCCL_GRAPH_DUMP_FILE wrote");
  CHECK(desk.refusal(kRing + R"(, "ranks": "0-3", "rings": "nccl.log")") ==
        "DIR/nccl.log: holds no ring of 4 ranks, but of 8 in line 1; choose as many ranks as ran");
  CHECK(desk.refusal(kRing + R"(, "ranks": "0-2", "rings": "rings.txt")") ==
        "DIR/s.json:/rings: ring parameter rings: ring \"0,1,1\" names rank 1 twice; name each of "
        "the ranks 0 to 2 once, separated by commas, such as \"0,1,2\" or \"0,1,2 x2\"");
}

}  // namespace syncsim
