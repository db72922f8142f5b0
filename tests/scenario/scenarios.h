#pragma once
// Scenarios written as text, read, run and judged.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/claims.h"
#include "sim/scenario/run.h"
#include "sim/scenario/scenario.h"
#include "tests/support/refusal.h"

namespace syncsim::testing {

inline Scenario read(std::string_view text) {
  return read_scenario(JsonFile::parse(text, "s.json").root());
}

// With the shipped machines and models.
inline RunSettings shipped_settings() {
  RunSettings settings;
  settings.shelf = SYNCSIM_SHELF;
  settings.models = std::string(SYNCSIM_SOURCE_DIR) + "/scenarios/models";
  return settings;
}

inline Report run(const Point& point) {
  return run_point(point,
                   {.shelf = SYNCSIM_SHELF, .check = true, .audit = true, .critical_path = true});
}

inline std::vector<Report> run_all(const Scenario& scenario) {
  std::vector<Report> reports;
  for (const Point& point : scenario.points) reports.push_back(run(point));
  return reports;
}

inline std::vector<Claim> judged(const Scenario& scenario, const std::vector<Report>& reports) {
  return judge({scenario.file, scenario.name, scenario.source, scenario.note},
               scenario.expectations, scenario.points, reports);
}

inline std::vector<Claim> judged(std::string_view text) {
  const Scenario scenario = read(text);
  return judged(scenario, run_all(scenario));
}

// Of 160 MB over 4 GPUs on pcie_4gpu; `fields` come first and may not repeat these.
inline std::string textbook(const std::string& fields) {
  return "{" + fields + R"(, "topology": "pcie_4gpu", "bytes": "160 MB"})";
}

inline std::string read_refusal(std::string_view text) {
  return refusal_of([&] { read(text); });
}

// The message with which reading, running or judging fails.
inline std::string refusal(std::string_view text) {
  return refusal_of([&] { judged(text); });
}

}  // namespace syncsim::testing
