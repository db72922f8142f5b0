#include "sim/scenario/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/scenario/plan_strategy.h"

namespace syncsim {
namespace {

InputError nothing_runs(const Point& point, const std::vector<Tried>& tried) {
  const Tried& first = tried.front();
  return {fmt::format("no strategy can run here; {} says: {}", first.strategy, first.why),
          "mend that, or name a strategy", point.place("strategy")};
}

Report run_fastest(const Point& point, const Setting& setting, const RunSettings& settings) {
  refuse_parameters(point, point.strategy);
  auto [winner, tried] = fastest(point, setting, settings);
  RunFacts& facts = winner->facts;
  facts.choice =
      Choice{std::exchange(facts.strategy, point.strategy), std::exchange(facts.parameters, {}),
             std::exchange(facts.changed, {}), std::move(tried)};
  return std::move(*winner);
}

}  // namespace

const NamedTable<ChoiceRow>& choices() {
  static const NamedTable<ChoiceRow> table(
      "choice",
      {{"auto", "a choice: simulates every strategy that applies, tuned, and runs the fastest",
        run_fastest}});
  return table;
}

Race fastest(const Point& point, const Setting& setting, const RunSettings& settings) {
  Race all = race(point, setting, candidates(point.collective), settings);
  if (!all.winner) throw nothing_runs(point, all.tried);
  return all;
}

std::vector<std::string> strategy_names() {
  std::vector<std::string> names = strategies().names();
  for (std::string& name : choices().names()) names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  return names;
}

void require_strategy_name(std::string_view name) {
  if (is_plan(name)) return require_plan_path(name);
  const std::vector<std::string> known = strategy_names();
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw unknown_name("strategy", name, known);
}

}  // namespace syncsim
