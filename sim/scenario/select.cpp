#include "sim/scenario/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/quote.h"

namespace syncsim {
namespace {

// A choice finds parameters by itself.
void refuse_parameters(const Point& point) {
  if (!point.rings.empty())
    throw InputError(point.strategy + " takes no file of rings", "name the strategy \"ring\"",
                     point.place("rings"));
  if (point.parameters.empty()) return;
  const std::string& name = point.parameters.begin()->first;
  const auto place = point.parameter_places.find(name);
  throw InputError(
      fmt::format("{} takes no parameter, {} neither", point.strategy, in_quotes(name)),
      "leave it out, or name a strategy",
      place == point.parameter_places.end() ? "" : place->second);
}

InputError nothing_runs(const Point& point, const std::vector<Tried>& tried) {
  const Tried& first = tried.front();
  return {fmt::format("no strategy can run here; {} says: {}", first.strategy, first.why),
          "mend that, or name a strategy", point.place("strategy")};
}

Report run_fastest(const Point& point, const Setting& setting, const RunSettings& settings) {
  refuse_parameters(point);
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
  const std::vector<std::string> known = strategy_names();
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw unknown_name("strategy", name, known);
}

}  // namespace syncsim
