// The page's text: a template with data in it.

#include "sim/report/page.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/report/page/page_json.h"
#include "tests/report/reports.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::page_test {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kTemplate = "<p>before @SYNCSIM_DATA@ after</p>";

std::string data_of(const std::string& page) {
  const std::string before = "<p>before ";
  const std::string after = " after</p>";
  CHECK(page.starts_with(before));
  CHECK(page.ends_with(after));
  return page.substr(before.size(), page.size() - before.size() - after.size());
}

Page page_of(Report report) { return {{std::move(report)}, {{"{}", "{}"}}, {}, ""}; }

Json point_of(Report report) {
  return Json::parse(data_of(page_text(page_of(std::move(report)), kTemplate)))["points"][0];
}

}  // namespace

TEST_CASE("the data stand in the template's place, and say what the run's JSON says") {
  const Report report = textbook_report();
  const Json data = Json::parse(data_of(page_text(page_of(report), kTemplate)));
  REQUIRE(data["points"].size() == 1);
  const Json& said = data["points"][0]["report"];
  CHECK(said["time_ps"] == 60'000'000'000);
  CHECK(said["strategy_text"] == "central_gpu");
  CHECK(said["critical_path"].size() == 2);
  REQUIRE(data["comparison"].size() == 1);
  CHECK(data["comparison"][0]["time_ps"] == 60'000'000'000);
  CHECK(data["comparison"][0]["busiest"] == "gpu0>switch0");
  CHECK(data["comparison"][0]["busiest_utilization"] == 0.5);
}

TEST_CASE("no name can end the data: every < is written as an escape that reads back") {
  Report report = textbook_report();
  report.facts.topology = "</script><!-- <script>";
  const std::string text = data_of(page_text(page_of(report), kTemplate));
  CHECK(text.find('<') == text.npos);
  CHECK(Json::parse(text)["points"][0]["report"]["topology"] == "</script><!-- <script>");
}

TEST_CASE("text that is no UTF-8 leaves the page valid") {
  Report report = textbook_report();
  report.facts.topology = "a\xff";
  CHECK(point_of(report)["report"]["topology"] == "a\ufffd");
}

TEST_CASE("links that carried something come, the busiest first, with how many there are") {
  const Json said = point_of(textbook_report())["report"];
  CHECK(said["links_in_use"] == 8);
  REQUIRE(said["links"].size() == 8);
  CHECK(said["links"][0]["direction"] == "gpu0>switch0");
  for (std::size_t i = 1; i < 8; ++i)
    CHECK(said["links"][i - 1]["utilization"] >= said["links"][i]["utilization"]);
}

TEST_CASE("of very many links and critical ops the first come, with how many there are") {
  Report report = textbook_report();
  report.links.assign(5'000, report.links.front());
  report.critical_path.assign(7'000, report.critical_path.front());
  const Json said = point_of(report)["report"];
  CHECK(said["links"].size() == 1'000);
  CHECK(said["links_in_use"] == 5'000);
  CHECK(said["critical_path"].size() == 1'000);
  CHECK(said["critical_ops"] == 7'000);
}

TEST_CASE("of a link's many pairs those with most bytes come, with how many there are") {
  Report report = textbook_report();
  report.links.front().flows.assign(9, {"gpu0", "gpu1", 1e6, 2});
  const Json link = point_of(report)["report"]["links"][0];
  CHECK(link["flows"].size() == 4);
  CHECK(link["pairs"] == 9);
  CHECK(link["transfers"] == 18);
}

TEST_CASE("a run without time or links has a page, too") {
  const Json said = point_of(empty_report())["report"];
  CHECK(said["time_ps"] == 0);
  CHECK(said["links"].empty());
}

TEST_CASE("a template without a place for data is refused") {
  CHECK(refusal_of([] { page_text({}, "<p>nothing</p>"); }) ==
        "the page's template has no place for data; build syncsim again");
}

// central_gpu adds up on gpu0 for 30 ms and sends back for 30 ms: its link is full either way.
TEST_CASE("a drawing has what a run tells it: slices, and the rates of links") {
  const Topology machine = load_topology("pcie_4gpu", SYNCSIM_SHELF);
  const Collective collective{CollectiveKind::allreduce, 4, {160'000'000}};
  const Schedule schedule =
      build_schedule(collective, {"gpu0", "gpu1", "gpu2", "gpu3"}, [](ScheduleBuilder& builder) {
        for (const ParticipantId gpu : {1, 2, 3}) builder.reduce(gpu, 0, builder.data());
        for (const ParticipantId gpu : {1, 2, 3}) builder.copy(0, gpu, builder.data());
      });
  PageDrawing drawing(1);
  drawing.begin_point(machine, Rates::line, {});
  ExecutionOptions options;
  options.rate_watch = &drawing;
  const Timeline timeline = execute_simulated(schedule, machine, options);
  const LowerBound bound = lower_bound({machine, machine.ranks(), collective, Rates::line});
  drawing.end_point(make_report(facts_of(machine, collective), machine, schedule, timeline, bound),
                    machine, schedule, timeline);
  REQUIRE(drawing.points().size() == 1);
  const Json told = Json::parse(drawing.points()[0].timeline);
  CHECK(told["tracks"].size() == 4);
  CHECK(told["slices"]["track"] == Json({0, 0, 0, 1, 2, 3}));
  CHECK(told["slices"]["length_ps"] == Json(std::vector<std::int64_t>(6, 30'000'000'000)));
  const Json& out = *std::find_if(told["rates"].begin(), told["rates"].end(),
                                  [](const Json& link) { return link["link"] == "gpu0>switch0"; });
  CHECK(out["capacity_Bps"] == 16e9);
  CHECK(out["times_ps"] == Json({30'000'000'000}));
  CHECK(out["Bps"] == Json({16e9}));
}

TEST_CASE("of a run whose rates were not followed the timeline says why they are missing") {
  Report report = textbook_report();
  report.ops = kMostOpsFollowed + 1;
  const Schedule schedule = HandMade(collective_of(CollectiveKind::allreduce, 4, 4), 1).build();
  const Slices slices = slices_of(schedule, {}, {}, 10);
  CHECK(timeline_json(report, schedule, slices, {})["notes"] ==
        Json({"Rates over time are not drawn for more than 300000 transfers."}));
  report.ops = kMostOpsFollowed;
  CHECK(timeline_json(report, schedule, slices, {})["notes"].empty());
}

}  // namespace syncsim::testing::page_test
