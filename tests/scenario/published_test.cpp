// What was published of a training step, beside what is simulated of it.

#include "sim/report/published.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sim/report/formats/step.h"
#include "sim/scenario/claims.h"
#include "sim/scenario/run.h"
#include "sim/scenario/scenario.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::published_test {
namespace {

// 48 ms of compute and 15 of communication after it, on four GPUs: 63 ms.
std::vector<Point> points(const std::string& published) {
  const std::string text = R"({"topology": "pcie_4gpu", "strategy": "ring", "buckets": "one",
    "model": {"layers": 16, "bytes": "160 MB", "forward": "16 ms", "backward": "32 ms"},
    "overlap": false)" + published +
                           "}";
  return read_scenario(JsonFile::parse(text, "s.json").root()).points;
}

Report report_of(const std::string& published) {
  RunSettings settings;
  settings.shelf = SYNCSIM_SHELF;
  return run_point(points(published).front(), settings);
}

const std::string kAll = R"(, "published": {"step": "60 ms", "samples_per_second": 50,
  "scaling_efficiency": "80 %", "source": "a paper"})";

std::string refused(const std::string& published) {
  return refusal_of([&] { points(R"(, "published": )" + published); });
}

}  // namespace

TEST_CASE("simulated figures are shares of the published ones") {
  const Report report = report_of(kAll);
  const std::vector<PublishedFigure> figures = published_figures(*report.step);
  REQUIRE(figures.size() == 3);
  CHECK(figures[0].name == "step");
  CHECK(figures[0].share() == doctest::Approx(63.0 / 60).epsilon(1e-12));
  CHECK(figures[1].share() == doctest::Approx(4 / 63e-3 / 50).epsilon(1e-12));
  CHECK(figures[2].share() == doctest::Approx(48.0 / 63 / 0.8).epsilon(1e-12));
  for (const PublishedFigure& figure : figures)
    CHECK(measure(parse_metric("published." + std::string(figure.name)), report) == figure.share());
}

TEST_CASE("train prints what was published with the deviation") {
  const Report report = report_of(kAll);
  const std::string text = step_text(report);
  CHECK(text.find("published                             simulated\n"
                  "step                     60.0000 ms   +5.0 %\n"
                  "samples_per_second             50.0   +27.0 %\n"
                  "scaling_efficiency           80.0 %   -4.8 %\n"
                  "  source: a paper\n") != std::string::npos);
  const nlohmann::json published = step_json(report)["published"];
  CHECK(published["step_us"] == 60'000);
  CHECK(published["samples_per_second"] == 50);
  CHECK(published["scaling_efficiency"] == 0.8);
  CHECK(published["deviations"]["step"].get<double>() == doctest::Approx(0.05));
  CHECK(published["source"] == "a paper");
}

TEST_CASE("of a step of which nothing was published nothing is said") {
  const Report report = report_of("");
  CHECK(step_text(report).find("published") == std::string::npos);
  CHECK(step_json(report)["published"].is_null());
  CHECK(refusal_of([&] { measure(parse_metric("published.step"), report); }) ==
        "no \"step\" was published of this point; add \"published\": {\"step\": ...}, or select "
        "others");
}

TEST_CASE("what cannot have been published is refused where it stands") {
  const std::string at = "s.json:/published";
  CHECK(refused(R"({"source": "a paper"})") ==
        at + ": has no figure; add \"step\", \"samples_per_second\" or \"scaling_efficiency\"");
  CHECK(refused(R"({"step": "60 ms"})") ==
        at + ": \"source\" is missing; add \"source\": \"where it was published\"");
  CHECK(refused(R"({"step": "0 ms", "source": "a paper"})") ==
        at + "/step: is too small to be measured; write the figure that was published");
  CHECK(
      refused(R"({"samples_per_second": -1, "source": "a paper"})") ==
      at + "/samples_per_second: is too small to be measured; write the figure that was published");
  CHECK(
      refused(R"({"samples_per_second": 1e300, "source": "a paper"})") ==
      at + "/samples_per_second: is too large to be measured; write at most 1e12 samples a second");
  const std::string share =
      at + "/scaling_efficiency: is above 1000 %; write a share such as \"95.7 %\" or 0.957";
  CHECK(refused(R"({"scaling_efficiency": 95.7, "source": "a paper"})") == share);
  CHECK(refused(R"({"scaling_efficiency": "1001 %", "source": "a paper"})") == share);
  CHECK(points(R"(, "published": {"samples_per_second": 1e12, "scaling_efficiency": 10,
                   "source": "a paper"})")
            .front()
            .training->published->scaling_efficiency == 10);
  CHECK(refused(R"({"steps": "60 ms", "source": "a paper"})") ==
        at + "/steps: unknown key \"steps\"; did you mean \"step\"?");
}

}  // namespace syncsim::testing::published_test
