// The JSON report: scripts rely on its keys and types.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/report/formats.h"
#include "tests/report/reports.h"

namespace syncsim::json_format_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::textbook_report;
using Keys = std::vector<std::string>;

Json written(const Report& report, bool links = false) {
  const std::vector<Report> reports = {report};
  return Json::parse(write_json(reports, {links}));
}

Json textbook_point(bool links = false) { return written(textbook_report(), links)["points"][0]; }

Keys keys_of(const Json& object) {
  Keys keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

}  // namespace

TEST_CASE("JSON is one object with a list of points, and ends with a newline") {
  const std::vector<Report> reports = {textbook_report(), testing::empty_report()};
  const std::string text = write_json(reports, {});
  CHECK(text.ends_with("}\n"));
  const Json json = Json::parse(text);
  CHECK(keys_of(json) == Keys{"points"});
  CHECK(json["points"].size() == 2);
  CHECK(Json::parse(write_json({}, {})) == Json{{"points", Json::array()}});
}

TEST_CASE("a point's keys, in order - links only when asked for") {
  const Keys keys = {"name",       "topology",     "edits",       "strategy",      "parameters",
                     "collective", "bytes",        "datatype",    "ranks",         "executor",
                     "rates",      "time_ps",      "time_us",     "algbw_GBps",    "busbw_GBps",
                     "bound_us",   "bound_kind",   "bound_binds", "efficiency",    "checked",
                     "scenario",   "rank_order",   "root",        "overhead_us",   "reduction",
                     "seed",       "start",        "background",  "events",        "notes",
                     "phases",     "busiest_link", "ops",         "critical_path", "library",
                     "chosen",     "candidates"};
  CHECK(keys_of(textbook_point()) == keys);
  Keys with_links = keys;
  with_links.emplace_back("links");
  CHECK(keys_of(textbook_point(true)) == with_links);
}

TEST_CASE("integers stay integers") {
  const Json point = textbook_point(true);
  for (const char* key : {"bytes", "ranks", "time_ps", "ops"}) {
    CAPTURE(key);
    CHECK(point[key].is_number_integer());
  }
  CHECK(point["links"][0]["bytes"].is_number_integer());
  for (const char* key : {"op", "channel", "bytes"}) {
    CAPTURE(key);
    CHECK(point["critical_path"][0][key].is_number_integer());
  }
}

TEST_CASE("figures keep fractions even where they are whole") {
  const Json point = textbook_point(true);
  for (const char* key : {"time_us", "algbw_GBps", "busbw_GBps", "bound_us", "efficiency"}) {
    CAPTURE(key);
    CHECK(point[key].is_number_float());
  }
  CHECK(point["phases"][0]["time_us"].is_number_float());
  CHECK(point["busiest_link"]["GBps"].is_number_float());
}

TEST_CASE("the textbook's 60 ms on one GPU, as JSON") {
  const Json point = textbook_point();
  CHECK(point["topology"] == "pcie_4gpu");
  CHECK(point["strategy"] == "central_gpu");
  CHECK(point["parameters"] == Json{{"root", "auto"}});
  CHECK(point["collective"] == "allreduce");
  CHECK(point["bytes"] == 160'000'000);
  CHECK(point["datatype"] == "float32");
  CHECK(point["ranks"] == 4);
  CHECK(point["executor"] == "simulated");
  CHECK(point["rates"] == "line");
  CHECK(point["time_ps"] == 60'000'000'000);
  CHECK(point["time_us"] == 60'000.0);
  CHECK(point["algbw_GBps"].get<double>() == doctest::Approx(8.0 / 3).epsilon(1e-12));
  CHECK(point["busbw_GBps"].get<double>() == doctest::Approx(4).epsilon(1e-12));
  CHECK(point["bound_us"].get<double>() == doctest::Approx(15'000).epsilon(1e-12));
  CHECK(point["bound_kind"] == "ports");
  CHECK(point["bound_binds"] == "the ports out of all ranks");
  CHECK(point["efficiency"].get<double>() == doctest::Approx(0.25).epsilon(1e-12));
  CHECK(point["ops"] == 7);
}

TEST_CASE("phases, busiest link and critical path, as JSON") {
  const Json point = textbook_point();
  CHECK(point["phases"] == Json::parse(R"([
    {"name": "reduce", "time_us": 30000.0, "start_us": 0.0, "finish_us": 30000.0},
    {"name": "broadcast", "time_us": 30000.0, "start_us": 30000.0, "finish_us": 60000.0}])"));
  const Json& busiest = point["busiest_link"];
  CHECK(keys_of(busiest) == Keys{"link", "direction", "GBps", "utilization"});
  CHECK(busiest["link"] == "gpu0-switch0");
  CHECK(busiest["direction"] == "gpu0>switch0");
  CHECK(busiest["GBps"].get<double>() == doctest::Approx(8).epsilon(1e-12));
  CHECK(busiest["utilization"].get<double>() == doctest::Approx(0.5).epsilon(1e-12));
  REQUIRE(point["critical_path"].size() >= 2);
  CHECK(point["critical_path"][0] == Json::parse(R"({
    "op": 0, "kind": "reduce", "from": "gpu1", "to": "gpu0", "channel": 0, "phase": "reduce",
    "bytes": 160000000, "start_us": 0.0, "finish_us": 30000.0})"));
}

TEST_CASE("a link's keys and figures, as JSON") {
  const Json links = textbook_point(true)["links"];
  REQUIRE(links.size() == 10);
  CHECK(keys_of(links[0]) == Keys{"link", "direction", "bytes", "GBps", "capacity_GBps",
                                  "utilization", "busy_us", "saturated_us", "peak_GBps",
                                  "transfers", "flows"});
  CHECK(links[0]["direction"] == "gpu0>switch0");
  CHECK(links[0]["bytes"] == 480'000'000);
  CHECK(links[0]["capacity_GBps"].get<double>() == doctest::Approx(16).epsilon(1e-12));
  CHECK(links[0]["busy_us"] == 30'000.0);
  CHECK(links[4]["direction"] == "gpu2>switch0");
  CHECK(links[4]["peak_GBps"].get<double>() == doctest::Approx(16.0 / 3).epsilon(1e-12));
  CHECK(links[4]["transfers"] == 1);
  CHECK(links[4]["flows"] ==
        Json::parse(R"([{"from": "gpu2", "to": "gpu0", "bytes": 160000000, "transfers": 1}])"));
  CHECK(links[9]["direction"] == "cpu0>switch0");
  CHECK(links[9]["bytes"] == 0);
}

TEST_CASE("an explanation is there when asked for, with all that was tried, as JSON") {
  Report report = textbook_report();
  CHECK_FALSE(written(report)["points"][0].contains("explain"));
  report.explanation = Explanation{"A.",
                                   "B.",
                                   "C.",
                                   "--edit \"x\"",
                                   {{ChangeKind::kind,
                                     "every pcie link",
                                     {"scale kind:pcie bandwidth 2"},
                                     {30'000'000'000},
                                     2,
                                     "--edit \"scale kind:pcie bandwidth 2\"",
                                     {60'000'000'000}}}};
  CHECK(written(report)["points"][0]["explain"] == Json::parse(R"({
    "binds": "A.", "bound": "B.", "change": "C.", "options": "--edit \"x\"",
    "tried": [{"change": "every pcie link", "edits": ["scale kind:pcie bandwidth 2"],
               "options": "--edit \"scale kind:pcie bandwidth 2\"",
               "time_ps": 30000000000, "time_us": 30000.0, "speedup": 2.0,
               "without_ps": 60000000000}]})"));
}

TEST_CASE("where nothing moved there is no busiest link: null") {
  const Json point = written(testing::empty_report())["points"][0];
  CHECK(point["busiest_link"].is_null());
  CHECK(point["phases"] == Json::array());
  CHECK(point["critical_path"] == Json::array());
  CHECK(point["time_ps"] == 0);
  CHECK(point["efficiency"] == 1.0);
}

TEST_CASE("edits and the point's name are printed back") {
  Report report = testing::empty_report();
  report.facts.name = "slow";
  report.facts.edits = {"scale kind:pcie bandwidth 0.5"};
  const Json point = written(report)["points"][0];
  CHECK(point["name"] == "slow");
  CHECK(point["edits"] == Json{"scale kind:pcie bandwidth 0.5"});
}

}  // namespace syncsim::json_format_test
