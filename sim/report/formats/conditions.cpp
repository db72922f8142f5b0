#include "sim/report/formats/conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace syncsim {

std::vector<std::string> conditions(const RunFacts& facts) {
  std::vector<std::string> lines;
  if (!facts.scenario.empty()) lines.push_back("scenario: " + facts.scenario);
  if (!facts.name.empty()) lines.push_back("point: " + facts.name);
  for (const std::string& edit : facts.edits) lines.push_back("edit: " + edit);
  for (const std::string& event : facts.events) lines.push_back("event: " + event);
  if (!facts.ranks.empty()) lines.push_back(fmt::format("ranks: {}", fmt::join(facts.ranks, ",")));
  if (facts.collective.root > 0) lines.push_back(fmt::format("root: {}", facts.collective.root));
  if (facts.overhead.ps > 0) lines.push_back("overhead: " + to_exact_string(facts.overhead));
  if (facts.reduction == Reduction::staged) lines.emplace_back("reduction: staged");
  if (!facts.start.empty()) lines.push_back("start: " + facts.start_text());
  if (facts.seed > 0) lines.push_back(fmt::format("seed: {}", facts.seed));
  if (!facts.background.empty())
    lines.push_back(fmt::format("background: {}, {} flow{}; lower bounds leave it out",
                                facts.background, facts.background_flows,
                                facts.background_flows == 1 ? "" : "s"));
  if (!facts.checked)
    lines.emplace_back("not checked: the schedules may not compute the collective");
  return lines;
}

}  // namespace syncsim
