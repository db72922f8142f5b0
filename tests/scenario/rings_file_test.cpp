// Runs around the rings of a file.

#include "sim/scenario/rings_file.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/scenario/selection.h"
#include "tests/scenario/scenarios.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::rings_file_test {
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

namespace {

// Two boxes of two gpus with NVLink and a nic each on one switch, the nics of one number on a rail,
// the rails joined by a spine; no latency.
constexpr const char* kCluster =
    R"({"name": "two", "kind": "rail_optimized", "machines": 2, "spines": 1,
        "link": {"kind": "network", "bandwidth": "25 GB/s"}, "machine": {"name": "box",
        "link_types": {"x16": {"kind": "pcie", "bandwidth": "100 GB/s"},
                       "nvlink": {"kind": "nvlink", "bandwidth": "100 GB/s"}},
        "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "nic[0-1]", "kind": "nic"},
                  {"id": "plx0", "kind": "switch"}],
        "links": [{"between": ["gpu[0-1]", "plx0"], "type": "x16"},
                  {"between": ["nic[0-1]", "plx0"], "type": "x16"},
                  {"between": ["gpu0", "gpu1"], "type": "nvlink"}]}})";

// A graph file of rings 0,1 and 1,0 through each box, by these nics in and out.
std::string graph(const std::string& in, const std::string& out, const std::string& other_in,
                  const std::string& other_out) {
  const auto net = [](const std::string& dev) { return "<net dev=\"" + dev + "\"/>"; };
  return "<graphs><graph pattern=\"4\" nchannels=\"2\"><channel>" + net(in) +
         "<gpu dev=\"0\"/><gpu dev=\"1\"/>" + net(out) + "</channel>\n<channel>" + net(other_in) +
         "<gpu dev=\"1\"/><gpu dev=\"0\"/>" + net(other_out) + "</channel></graph></graphs>";
}

}  // namespace

TEST_CASE("rings take the nics that their file names, so that what shares a nic shares its rate") {
  const Desk desk;
  const auto busbw = [&](const std::string& text) {
    desk.folder.write("g.xml", text);
    const std::string file = desk.folder.write(
        "s.json", std::string(R"({"topology": )") + kCluster +
                      R"(, "bytes": "8 MB", "datatype": "int8", "strategy": "ring",
                         "rings": "g.xml"})");
    return testing::run(read_scenario(JsonFile::load(file).root()).points.at(0)).busbw;
  };
  // Two rings of 25 GB/s: each with nics of its own, on one rail or crossing the spine.
  CHECK(busbw(graph("0", "0", "1", "1")) == 50e9);
  CHECK(busbw(graph("0", "1", "1", "0")) == 50e9);
  CHECK(busbw(graph("1", "0", "0", "1")) == 50e9);
  // Both into or out of one nic: half.
  CHECK(busbw(graph("0", "0", "0", "1")) == 25e9);
  CHECK(busbw(graph("0", "1", "1", "1")) == 25e9);
}

TEST_CASE("a nic that the ranks' boxes have not is refused at the file's line, or the parameter") {
  const Desk desk;
  desk.folder.write("g.xml", graph("0", "0", "2", "1"));
  const std::string cluster = std::string(R"("topology": )") + kCluster + ", ";
  const auto refusal = [&](const std::string& fields) {
    const std::string file =
        desk.folder.write("s.json", "{" + cluster + R"("bytes": "8 MB", )" + fields + "}");
    std::string message = testing::refusal_of(
        [&] { testing::run(read_scenario(JsonFile::load(file).root()).points.at(0)); });
    for (std::size_t at; (at = message.find(desk.folder.path())) != message.npos;)
      message.replace(at, desk.folder.path().size(), "DIR");
    return message;
  };
  CHECK(refusal(kRing + R"(, "rings": "g.xml")") ==
        "DIR/g.xml:2:10: NIC 2 is none of rank 1's box, which has 2; name one of 0 to 1");
  CHECK(refusal(with_parameter("nic2>0,1,2,3")) ==
        "DIR/s.json:/strategy/parameters/rings: ring parameter rings: nic2 is none of the box of "
        "rank 0, which has 2; nics are numbered from 0 in the order of the machine");
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
        "DIR/s.json:/rings: DIR/no.log: there is no such file; name a log of NCCL_DEBUG=INFO, or "
        "what "
        "NCCL_GRAPH_DUMP_FILE wrote");
  CHECK(desk.refusal(kRing + R"(, "ranks": "0-3", "rings": "nccl.log")") ==
        "DIR/nccl.log: holds no ring of 4 ranks, but of 8 in line 1; choose as many ranks as ran");
  CHECK(desk.refusal(kRing + R"(, "ranks": "0-2", "rings": "rings.txt")") ==
        "DIR/s.json:/rings: ring parameter rings: ring \"0,1,1\" names rank 1 twice; name each of "
        "the ranks 0 to 2 once, separated by commas, such as \"0,1,2\" or \"0,1,2 x2\"");
}

}  // namespace syncsim::rings_file_test
