// Background traffic in scenarios: a ring of four at 1 GB/s, 1,000 bytes a step: six steps of 1 us.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/report/formats.h"
#include "sim/scenario/selection.h"
#include "tests/scenario/scenarios.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::background_test {
namespace {

const std::string kFlows = "start,source,destination,bytes\n";

// Without its closing brace.
const std::string kRing = R"({"bytes": 4000, "datatype": "int8", "strategy": "ring",
  "topology": {"kind": "star", "gpus": 4, "name": "four",
               "link": {"kind": "pcie", "bandwidth": "1 GB/s"}})";

// Scenario files in a folder, with files of flows beside them.
struct Desk {
  Scenario scenario(const std::string& fields) const {
    const std::string file = folder.write("s.json", kRing + ", " + fields + "}");
    return read_scenario(JsonFile::load(file).root());
  }
  Report report(const std::string& fields) const {
    return testing::run(scenario(fields).points.at(0));
  }
  // The message, behind the folder's path.
  std::string refusal(const std::string& fields) const {
    const std::string message = testing::refusal_of([&] { report(fields); });
    const std::string before = folder.path() + "/";
    return message.starts_with(before) ? message.substr(before.size()) : message;
  }

  testing::TemporaryFolder folder;
};

const LinkReport& link(const Report& report, const std::string& direction) {
  for (const LinkReport& link : report.links)
    if (link.direction == direction) return link;
  FAIL("no link " << direction);
  return report.links.front();
}

}  // namespace

TEST_CASE("a background flow that halves one link for part of a step delays the ring by the rest") {
  const Desk desk;
  CHECK(desk.report(R"("name": "alone")").time == Time{6'000'000});
  // Half of gpu0 > gpu1 until 1 us; the step's other 500 bytes until 1.5 us. Behind it that lane is
  // always busy: five more steps.
  desk.folder.write("f.csv", kFlows + "0,gpu0,gpu1,500\n");
  const Report report = desk.report(R"("background": "f.csv")");
  CHECK(report.time == Time{6'500'000});
  CHECK(link(report, "gpu0>switch0").bytes == 6'500);
  CHECK(link(report, "gpu0>switch0").busy == Time{6'500'000});
  CHECK(link(report, "gpu0>switch0").saturated == Time{6'500'000});
  CHECK(link(report, "gpu1>switch0").bytes == 6'000);
  CHECK(report.bound.seconds == desk.report(R"("name": "alone")").bound.seconds);
  CHECK(report.ops == 24);
}

TEST_CASE("to the picosecond: a flow that begins and ends within a step") {
  const Desk desk;
  // From 0.25 us, 123 bytes at half rate last 0.246 us and cost the step 0.123 us.
  desk.folder.write("f.csv", kFlows + "0.25 us,gpu0,switch0,123\n");
  CHECK(desk.report(R"("background": "f.csv")").time == Time{6'123'000});
}

TEST_CASE("the run ends with the collective, and counts what the background carried until then") {
  const Desk desk;
  desk.folder.write("f.csv", kFlows + "2 us,gpu3,cpu,1 TB\n9 us,gpu0,gpu1,1 TB\n");
  CHECK(desk.refusal(R"("background": "f.csv")") ==
        "f.csv:2:destination: unknown node \"cpu\"; choose one of gpu0, gpu1, gpu2, gpu3, switch0");
  desk.folder.write("f.csv", kFlows + "0,switch0,gpu3,1 TB\n20 us,gpu0,gpu1,1 TB\n");
  const Report report = desk.report(R"("background": "f.csv")");
  // 2 > 3 takes 2 us a step, and everything waits for it: its lane is never idle.
  CHECK(report.time == Time{12'000'000});
  CHECK(link(report, "switch0>gpu3").bytes == 12'000);
  CHECK(link(report, "gpu0>switch0").bytes == 6'000);
}

TEST_CASE("a report says its background") {
  const Desk desk;
  const std::string path = desk.folder.write("traffic/f.csv", kFlows + "0,gpu0,gpu1,500\n");
  const Report report = desk.report(R"("background": "traffic/f.csv")");
  CHECK(report.facts.background == path);
  CHECK(report.facts.background_flows == 1);
  const std::vector<Report> reports = {report};
  CHECK(write_text(reports, {})
            .find("\n  background: " + path + ", 1 flow; lower bounds leave it out\n") !=
        std::string::npos);
  CHECK(write_json(reports, {}).find("\"flows\": 1") != std::string::npos);
  const std::vector<Report> alone = {desk.report(R"("background": null)")};
  CHECK(write_text(alone, {}).find("background") == std::string::npos);
  CHECK(write_json(alone, {}).find("\"background\": null") != std::string::npos);
}

TEST_CASE("a sweep runs with and without background, and claims select by it") {
  const Desk desk;
  const std::string path = desk.folder.write("f.csv", kFlows + "0,gpu0,gpu1,500\n");
  const Scenario scenario = desk.scenario(R"("sweep": {"background": [null, "f.csv"]}, "expect": [
    {"where": {"background": null}, "metric": "time", "value": "6 us", "tolerance": "0 ps"},
    {"where": {"background": "f.csv"}, "metric": "time", "value": "6.5 us", "tolerance": "0 ps"},
    {"metric": "time", "order": "increasing"}])");
  REQUIRE(scenario.points.size() == 2);
  CHECK(scenario.points[1].place("background") == scenario.file + ":/sweep/background/1");
  const std::vector<Report> reports = testing::run_all(scenario);
  for (const Claim& claim : testing::judged(scenario, reports)) CHECK(claim.passed);
  CHECK(point_label(0, scenario.points, reports) == "no background");
  CHECK(point_label(1, scenario.points, reports) == "background " + path);
}

TEST_CASE("edits change the machine of the background too") {
  const Desk desk;
  desk.folder.write("f.csv", kFlows + "0,gpu3,switch0,500\n");
  CHECK(desk.refusal(R"("background": "f.csv", "edits": ["remove node:gpu3"])") ==
        "f.csv:2:source: unknown node \"gpu3\"; did you mean \"gpu0\"?");
}

TEST_CASE("a file of flows that is missing is refused where it is named, a wrong one at its line") {
  const Desk desk;
  const std::string folder = desk.folder.path();
  CHECK(desk.refusal(R"("background": "no.csv")") ==
        "s.json:/background: \"" + folder +
            "/no.csv\" cannot be read: No such file or directory; "
            "name a CSV file of flows");
  CHECK(desk.refusal(R"("points": [{"background": 3}])") ==
        "s.json:/points/0/background: is the number 3; write a string");
  desk.folder.write("f.csv", kFlows + "0,gpu0,gpu1,500\n0,gpu0,gpu1,many\n");
  CHECK(desk.refusal(R"("background": "f.csv")") ==
        "f.csv:3:bytes: \"many\" does not begin with a number; write \"16 MB\"");
}

}  // namespace syncsim::background_test
