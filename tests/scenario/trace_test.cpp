// Points of every sort, drawn: the rules of traces, and what the counters carried.

#include <doctest/doctest.h>

#include <map>
#include <sstream>
#include <string>

#include "sim/report/formats/chrome_trace.h"
#include "tests/scenario/scenarios.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace.h"

namespace syncsim::trace_test {
namespace {

using testing::TraceJson;

struct Drawn {
  TraceJson trace;
  Report report;
};

Drawn draw(const Point& point) {
  std::ostringstream text;
  ChromeTrace trace(text, ChromeTrace::Points::one);
  RunSettings settings{.shelf = SYNCSIM_SHELF, .links = true};
  settings.drawing = &trace;
  Report report = run_point(point, settings);
  trace.finish();
  return {TraceJson::parse(text.str()), std::move(report)};
}

Drawn draw(const std::string& point) { return draw(testing::read(point).points.at(0)); }

// Also of cables, transits and reduce engines, whose counters have their names.
void check_law(const Drawn& drawn) {
  testing::check_trace(drawn.trace);
  const auto carried = testing::carried(drawn.trace);
  for (const LinkReport& link : drawn.report.links) {
    CAPTURE(link.label());
    const auto counter = carried.find(link.label());
    const double bytes = counter == carried.end() ? 0 : counter->second;
    CHECK(bytes == doctest::Approx(link.bytes).epsilon(1e-6));
    CHECK(link.peak <= link.capacity * (1 + 1e-9));
    CHECK(link.rate <= link.peak * (1 + 1e-9));
  }
}

}  // namespace

TEST_CASE("a trace keeps the rules and its counters the bytes, strategy by strategy") {
  const std::map<std::string, std::string> points = {
      {"pcie_8gpu", "central_cpu"},    {"dgx1v", "ring"},
      {"hgx_h100", "in_network"},      {"p3_16xlarge", "double_binary_tree"},
      {"dgx_a100_x2", "hierarchical"}, {"ethernet_100g_x8_4cpu", "parameter_server"}};
  for (const auto& point : points) {
    CAPTURE(point.second);
    check_law(draw(R"({"topology": ")" + point.first + R"(", "strategy": ")" + point.second +
                   R"(", "bytes": "1 MB", "overhead": "1 us"})"));
  }
}

TEST_CASE("of training steps compute has tracks of its own, and slices say what they are for") {
  const Drawn drawn = draw(R"({"topology": "pcie_4gpu", "strategy": "ring", "loading": "1 MB",
    "model": {"layers": 3, "bytes": "12 MB", "forward": "3 ms", "backward": "6 ms"},
    "buckets": "per-tensor", "update": "3 ms", "steps": 2,
    "pauses": [{"rank": 2, "step": 1, "time": "5 ms"}]})");
  check_law(drawn);
  std::map<testing::TraceTrack, std::string> tracks;
  for (const TraceJson& event : testing::events_of(drawn.trace, "M"))
    if (event["name"] == "thread_name") tracks[testing::track_of(event)] = event["args"]["name"];
  std::map<std::string, int> computes;
  std::map<std::string, int> transfers;
  for (const TraceJson& event : testing::events_of(drawn.trace, "X")) {
    if (event["cat"] == "phase" || event["cat"] == "critical") continue;
    const std::string name = event["name"];
    const bool compute = tracks.at(testing::track_of(event)) == "compute";
    ++(compute ? computes[name] : transfers[name.substr(0, name.find(':'))]);
  }
  std::map<std::string, int> expected = {{"pause", 1}};
  for (const std::string number : {"0", "1", "2"}) {
    expected["forward layer" + number] = expected["backward layer" + number] = 4 * 2;
    expected["update bucket " + number] = expected["await bucket " + number] = 4 * 2;
  }
  expected["batch of step 0"] = expected["batch of step 1"] = 4;
  CHECK(computes == expected);
  // A ring of four: six messages a rank.
  CHECK(transfers == std::map<std::string, int>{{"batch of step 0", 4},
                                                {"batch of step 1", 4},
                                                {"batch of step 2", 4},
                                                {"gradients bucket 0", 6 * 4 * 2},
                                                {"gradients bucket 1", 6 * 4 * 2},
                                                {"gradients bucket 2", 6 * 4 * 2}});
}

TEST_CASE("a training step's critical path has the names of its slices") {
  Point point = testing::read(R"({"topology": "pcie_4gpu", "strategy": "ring", "steps": 1,
    "model": {"layers": 1, "bytes": "16 MB", "forward": "3 ms", "backward": "6 ms"}})")
                    .points.at(0);
  std::ostringstream text;
  ChromeTrace trace(text, ChromeTrace::Points::one);
  RunSettings settings{.shelf = SYNCSIM_SHELF, .critical_path = true};
  settings.drawing = &trace;
  run_point(point, settings);
  trace.finish();
  std::vector<std::string> names;
  for (const TraceJson& event : testing::events_of(TraceJson::parse(text.str()), "X"))
    if (event["cat"] == "critical") names.push_back(event["name"]);
  REQUIRE(names.size() > 2);
  CHECK(names[0].starts_with("forward layer0 on gpu"));
  CHECK(names[1].starts_with("backward layer0 on gpu"));
  CHECK(names[2].starts_with("gradients bucket 0: reduce gpu"));
}

TEST_CASE("flows of the background are in the counters, not among the slices") {
  const testing::TemporaryFolder folder;
  folder.write("flows.csv", "start,source,destination,bytes\n1 ms,gpu0,gpu1,16 MB\n");
  Point point = testing::read(R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": "160 MB"})")
                    .points.at(0);
  const Drawn alone = draw(point);
  point.background = folder.path() + "/flows.csv";
  const Drawn beside = draw(point);
  check_law(beside);
  CHECK(testing::events_of(beside.trace, "X").size() ==
        testing::events_of(alone.trace, "X").size());
  CHECK(testing::carried(beside.trace).at("gpu0>switch0") ==
        doctest::Approx(testing::carried(alone.trace).at("gpu0>switch0") + 16e6).epsilon(1e-6));
}

TEST_CASE("a link that falls back in mid-run shows lower rates and stays full") {
  const Drawn drawn = draw(R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": "160 MB",
    "events": ["at 5 ms link:gpu0-switch0 bandwidth=8 GB/s"]})");
  testing::check_trace(drawn.trace);
  double last = 0;
  for (const TraceJson& event : testing::events_of(drawn.trace, "C"))
    if (event["name"] == "gpu0>switch0" && event["args"]["GB/s"] != 0) {
      CHECK(event["args"]["used %"] == 100);
      last = event["args"]["GB/s"].get<double>();
    }
  CHECK(last == 8);
}

TEST_CASE("of a choice the chosen strategy alone is drawn, and its links have flows") {
  const Drawn drawn = draw(R"({"topology": "pcie_4gpu", "strategy": "auto", "bytes": "1 MB"})");
  check_law(drawn);
  CHECK(drawn.report.links[0].peak > 0);
  CHECK_FALSE(drawn.report.links[0].flows.empty());
}

TEST_CASE("links' flows carry the links' bytes, whatever the strategy and the machine") {
  for (const char* point :
       {R"({"topology": "hgx_h100", "strategy": "in_network", "bytes": "1 MB"})",
        R"({"topology": "pcie_8gpu", "strategy": "ring", "bytes": "1 MB",
            "edits": ["disable p2p"]})",
        R"({"topology": "dgx_a100_x2", "strategy": "ring", "bytes": "1 MB", "seed": 3})",
        R"({"topology": "ethernet_100g_x8_4cpu", "strategy": "parameter_server", "bytes": "1 MB",
            "reduction": "staged"})"}) {
    CAPTURE(point);
    const Drawn drawn = draw(std::string(point));
    for (const LinkReport& link : drawn.report.links) {
      CAPTURE(link.label());
      double bytes = 0;
      for (const LinkFlow& flow : link.flows) bytes += flow.bytes;
      CHECK(bytes == doctest::Approx(link.bytes).epsilon(1e-9));
    }
  }
}

}  // namespace syncsim::trace_test
