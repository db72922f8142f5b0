#include "sim/scenario/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/scenario/library/library_run.h"
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

Candidate choose_fastest(const Point& point, const Setting& setting, const RunSettings& settings) {
  refuse_parameters(point, point.strategy);
  const RunFacts facts = fastest(point, setting, settings).winner->facts;
  return {facts.strategy, facts.changed};
}

template <NcclAlgorithm... only>
std::optional<NcclAlgorithm> the_only() {
  std::optional<NcclAlgorithm> algorithm;
  ((algorithm = only), ...);
  return algorithm;
}

template <NcclAlgorithm... only>
Report run_library(const Point& point, const Setting& setting, const RunSettings& settings) {
  return run_by_library(point, setting, settings, the_only<only...>());
}

template <NcclAlgorithm... only>
Candidate choose_library(const Point& point, const Setting& setting, const RunSettings& settings) {
  return chosen_by_library(point, setting, settings, the_only<only...>());
}

}  // namespace

const NamedTable<ChoiceRow>& choices() {
  static const NamedTable<ChoiceRow> table(
      "choice",
      {{"auto", "a choice: simulates every strategy that applies, tuned, and runs the fastest",
        run_fastest, choose_fastest},
       {"nccl", "a choice: what NCCL's tuner (RCCL's) takes, at the library's costs", run_library,
        choose_library},
       {"nccl_ring", "a choice: the library's ring, at its costs", run_library<NcclAlgorithm::ring>,
        choose_library<NcclAlgorithm::ring>},
       {"nccl_tree", "a choice: the library's tree, at its costs", run_library<NcclAlgorithm::tree>,
        choose_library<NcclAlgorithm::tree>},
       {"nvls", "a choice: the library's NVLS (sums in NVSwitches), at its costs",
        run_library<NcclAlgorithm::nvls>, choose_library<NcclAlgorithm::nvls>},
       {"nvls_tree", "a choice: the library's NVLS in nodes, trees across them, at its costs",
        run_library<NcclAlgorithm::nvls_tree>, choose_library<NcclAlgorithm::nvls_tree>},
       {"pat", "a choice: the library's PAT of one gpu a node, at its costs",
        run_library<NcclAlgorithm::pat>, choose_library<NcclAlgorithm::pat>}});
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
