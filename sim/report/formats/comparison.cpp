// How comparisons are written down.

#include "sim/report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/page_text.h"
#include "sim/report/formats/figures.h"
#include "sim/report/formats/ranked.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

Json subject(const Comparison& comparison) {
  if (comparison.ranking.empty()) return Json::object();
  const RunFacts& facts = comparison.ranking.front().facts;
  Json json = ranked::subject(facts);
  json["bytes"] = facts.collective.bytes.count;
  return json;
}

// "central_cpu, in_network" or "14 strategies".
std::string names_of(const std::vector<std::string>& strategies) {
  constexpr std::size_t kMostNamed = 3;
  if (strategies.size() > kMostNamed) return fmt::format("{} strategies", strategies.size());
  return fmt::format("{}", fmt::join(strategies, ", "));
}

// One, or where some strategies let more add up (CPUs, switches) one for each set of them.
std::string bounds(const std::vector<Report>& ranking) {
  std::vector<const LowerBound*> different;
  std::vector<std::vector<std::string>> bounded;
  for (const Report& report : ranking) {
    const auto known =
        std::find_if(different.begin(), different.end(), [&](const LowerBound* bound) {
          return bound->seconds == report.bound.seconds && bound->binds == report.bound.binds;
        });
    const auto index = static_cast<std::size_t>(known - different.begin());
    if (known == different.end()) {
      different.push_back(&report.bound);
      bounded.emplace_back();
    }
    bounded[index].push_back(report.facts.strategy);
  }
  std::string text;
  for (std::size_t i = 0; i < different.size(); ++i)
    text += fmt::format("lower bound{}: {} ({})\n",
                        different.size() == 1 ? "" : " of " + names_of(bounded[i]),
                        figures::duration(different[i]->seconds), different[i]->binds);
  return text;
}

}  // namespace

std::string comparison_text(const Comparison& comparison, const Emphasis& best) {
  std::string text;
  if (!comparison.ranking.empty()) {
    const RunFacts& facts = comparison.ranking.front().facts;
    text = within_page(ranked::heading(facts, " of " + to_string(facts.collective.bytes)));
    text += fmt::format("{:<{}} {}  busiest link\n", "strategy", ranked::kStrategyWidth,
                        ranked::figure_heads());
    for (const Report& report : comparison.ranking) {
      const std::string row = within_page(ranked::row(report));
      const bool set_off = best && &report == &comparison.ranking.front();
      text += (set_off ? best(row) : row) + "\n";
    }
    text += within_page(bounds(comparison.ranking));
  }
  for (const LeftOut& left_out : comparison.left_out)
    text += within_page(fmt::format("left out: {}: {}\n", left_out.strategy, left_out.why));
  return text;
}

std::string comparison_json(const Comparison& comparison) {
  Json json = subject(comparison);
  json["ranking"] = Json::array();
  for (const Report& report : comparison.ranking) json["ranking"].push_back(ranked::json(report));
  json["left_out"] = Json::array();
  for (const LeftOut& left_out : comparison.left_out)
    json["left_out"].push_back({{"strategy", left_out.strategy}, {"why", left_out.why}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string comparison_csv(const Comparison& comparison) {
  std::string text = ranked::csv_heads() + "\n";
  for (const Report& report : comparison.ranking) text += ranked::csv(report) + "\n";
  return text;
}

}  // namespace syncsim
