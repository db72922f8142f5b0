// The critical path of training steps.

#include "sim/report/step_path.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sim/report/formats/step.h"
#include "sim/scenario/run.h"
#include "sim/scenario/scenario.h"

namespace syncsim::testing::step_path_test {
namespace {

// 16 layers alike on four GPUs at 16 GB/s: 48 ms of compute, 160 MB for 15 ms on the wire.
Report report_of(const std::string& fields, const std::string& strategy = "ring") {
  const std::string text = R"({"topology": "pcie_4gpu", "strategy": ")" + strategy + R"(",
    "model": {"layers": 16, "bytes": "160 MB", "forward": "16 ms", "backward": "32 ms"})" +
                           fields + "}";
  RunSettings settings;
  settings.shelf = SYNCSIM_SHELF;
  settings.critical_path = true;
  return run_point(read_scenario(JsonFile::parse(text, "s.json").root()).points.front(), settings);
}

const std::string kApart = R"(, "buckets": "one", "overlap": false)";

std::vector<std::string> whats(const StepPath& path) {
  std::vector<std::string> list;
  for (const PathPiece& piece : path.pieces) list.push_back(piece.what);
  return list;
}
using Whats = std::vector<std::string>;

}  // namespace

TEST_CASE("without overlap a step's path is its gradients, its forward and its backward") {
  const Report report = report_of(kApart);
  const StepPath& path = *report.step->critical_path;
  CHECK(path.compute == parse_time("48 ms"));
  CHECK(path.transfer == parse_time("15 ms"));
  CHECK(path.pause == Time{});
  CHECK(whats(path) ==
        Whats{"gradients bucket 0", "forward layer0..layer15", "backward layer15..layer0"});
  const PathPiece& gradients = path.pieces[0];
  CHECK(gradients.finish == parse_time("15 ms"));
  CHECK(path.pieces[1].finish == parse_time("31 ms"));
  CHECK(path.pieces[2].finish == parse_time("63 ms"));
  // A ring of four: six hops of a quarter, each from where the one before went.
  REQUIRE(gradients.hops.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    const PathHop& hop = gradients.hops[i];
    CHECK(hop.bytes.count == 40'000'000);
    CHECK(hop.finish - hop.start == parse_time("2500 us"));
    CHECK(hop.links == std::vector<std::string>{hop.from + ">switch0", "switch0>" + hop.to});
    if (i > 0) CHECK(hop.from == gradients.hops[i - 1].to);
  }
}

TEST_CASE("a path in words and in JSON") {
  const Report report = report_of(kApart);
  const PathPiece& gradients = report.step->critical_path->pieces[0];
  const std::string first = gradients.hops.front().from + ">" + gradients.hops.front().to;
  const std::string last = gradients.hops.back().from + ">" + gradients.hops.back().to;
  const std::string on = report.step->critical_path->pieces[2].node;
  CHECK(path_text(*report.step->critical_path) ==
        "\n critical path   63.0000 ms, from backward to backward: compute 48.0000 ms, transfer "
        "15.0000 ms\n"
        "    15.0000 ms   gradients bucket 0: " +
            first + " .. " + last +
            ", 6 hops\n"
            "    16.0000 ms   forward layer0..layer15 on " +
            on +
            "\n"
            "    32.0000 ms   backward layer15..layer0 on " +
            on + "\n");
  CHECK(step_text(report).ends_with(path_text(*report.step->critical_path)));
  const nlohmann::json json = step_json(report)["critical_path"];
  CHECK(json["time_us"] == 63'000);
  CHECK(json["compute_us"] == 48'000);
  CHECK(json["transfer_us"] == 15'000);
  CHECK(json["pause_us"] == 0);
  CHECK(json["pieces"][0]["kind"] == "transfer");
  CHECK(json["pieces"][0]["node"].is_null());
  CHECK(json["pieces"][0]["hops"].size() == 6);
  CHECK(json["pieces"][2]["what"] == "backward layer15..layer0");
  CHECK(json["pieces"][2]["node"] == on);
  CHECK(json["pieces"][2]["start_us"] == 31'000);
  CHECK(json["pieces"][2]["finish_us"] == 63'000);
}

TEST_CASE("of a path that nobody asked for nothing is said") {
  Report report = report_of(kApart);
  report.step->critical_path.reset();
  CHECK(step_text(report).find("critical path") == std::string::npos);
  CHECK(step_json(report)["critical_path"].is_null());
}

TEST_CASE("a path leads through the rank that is late, and through its pause") {
  const StepPath slow = *report_of(kApart + R"(, "speeds": {"3": 0.5})").step->critical_path;
  CHECK(slow.compute == parse_time("96 ms"));
  CHECK(slow.transfer == parse_time("15 ms"));
  CHECK(slow.pieces.back().node == "gpu3");
  const StepPath paused =
      *report_of(kApart + R"(, "pauses": [{"rank": 2, "step": 1, "time": "5 ms"}])")
           .step->critical_path;
  CHECK(paused.pause == parse_time("5 ms"));
  CHECK(paused.compute == parse_time("48 ms"));
  CHECK(paused.time() == parse_time("68 ms"));
  CHECK(whats(paused) == Whats{"gradients bucket 0", "pause", "forward layer0..layer15",
                               "backward layer15..layer0"});
  CHECK(paused.pieces[1].node == "gpu2");
}

TEST_CASE("updates are compute, also those of servers") {
  const StepPath own = *report_of(kApart + R"(, "update": "4 ms")").step->critical_path;
  CHECK(whats(own)[1] == "update bucket 0");
  CHECK(own.compute == parse_time("52 ms"));
  const std::string text = R"({"topology": "pcie_4gpu",
    "model": {"layers": 1, "bytes": "160 MB", "forward": "16 ms", "backward": "32 ms"},
    "store": {"type": "dist", "update": "4 ms"}})";
  RunSettings settings;
  settings.shelf = SYNCSIM_SHELF;
  settings.critical_path = true;
  const Report report =
      run_point(read_scenario(JsonFile::parse(text, "s.json").root()).points.front(), settings);
  const StepPath& path = *report.step->critical_path;
  CHECK(path.compute == parse_time("52 ms"));
  const auto update = std::find_if(path.pieces.begin(), path.pieces.end(), [](const auto& piece) {
    return piece.what == "update bucket 0";
  });
  REQUIRE(update != path.pieces.end());
  CHECK(update->node == "cpu0");
}

TEST_CASE("pieces follow each other without gaps, and make up the step") {
  for (const std::string fields :
       {R"(, "buckets": "per-tensor")", R"(, "buckets": "per-tensor", "bucket_order": "priority",
           "early_forward": true, "update_at": "bucket", "update": "2 ms")",
        R"(, "buckets": "horovod", "cycle": "3 ms", "fusion": "20 MB")",
        R"(, "sharding": "gradients", "update": "2 ms")", R"(, "sharding": "parameters")",
        R"(, "loading": "80 MB")", R"(, "loading": {"bytes": "320 MB", "ahead": 0})",
        R"(, "overhead": "20 us", "reduction": "staged")"}) {
    CAPTURE(fields);
    // Many steps: what is measured is like the average.
    const Report report = report_of(fields + R"(, "steps": 6)");
    const StepPath& path = *report.step->critical_path;
    Time at;
    for (const PathPiece& piece : path.pieces) {
      CHECK(piece.start == at);
      CHECK(piece.finish > piece.start);
      at = piece.finish;
    }
    CHECK(path.time() == at);
    CHECK(seconds(at) == doctest::Approx(seconds(report.step->step)).epsilon(1e-6));
  }
}

TEST_CASE("what a cycle holds back is transfer") {
  // The last gradients are ready at 32 ms, and go at 35.
  const StepPath path =
      *report_of(R"(, "buckets": "horovod", "cycle": "35 ms")").step->critical_path;
  CHECK(whats(path)[0] == "launch bucket 0");
  CHECK(path.pieces[0].kind == PathKind::transfer);
  CHECK(path.pieces[0].finish == parse_time("3 ms"));
  CHECK(path.time() == parse_time("66 ms"));
}

}  // namespace syncsim::testing::step_path_test
