#include "sim/scenario/library/library_run.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "sim/scenario/library/library_tuner.h"
#include "sim/scenario/library/library_words.h"
#include "sim/scenario/point_schedule.h"

namespace syncsim {
namespace {

constexpr double kPicoseconds = 1e6;  // a us

// What the tuner says of a point.
struct Tuned {
  LibraryTuner tuner;
  LibraryPlan plan;
};

Tuned tuned(const Point& point, const Setting& setting, const RunSettings& settings,
            std::optional<NcclAlgorithm> only) {
  const char* field = only ? "strategy" : "topology";
  return at_field(point, field, [&] {
    LibraryTuner tuner(setting.machine, setting.ranks, setting.collective,
                       point.library.value_or(LibraryTerms{}), settings.shelf + "/rates");
    const LibraryPlan plan = tuner.plan(setting.collective.bytes, only);
    return Tuned{std::move(tuner), plan};
  });
}

// Prices rewrite the machine's links, which events would change.
void refuse_events(const Point& point) {
  if (!point.events.empty())
    throw InputError("events do not go with a library's costs",
                     "leave out one of them, or write \"library\": \"none\"",
                     point.place("events"));
  if (point.executor != "simulated")
    throw InputError("a library's costs are those of simulated runs",
                     "leave out one of executor and library", point.place("executor"));
}

// Beside a strategy only the library's own algorithms say what it costs.
void refuse_other_schedule(const Point& point) {
  const std::string algorithm = point.library.value_or(LibraryTerms{}).algorithm;
  if (algorithm.empty() || algorithms().find(algorithm) != nullptr) return;
  throw InputError(
      fmt::format("the algorithm {} would run in place of {}", algorithm, point.strategy),
      "name it as the strategy, or take the strategy nccl", point.place("library"));
}

void refuse_two_algorithms(const Point& point, std::optional<NcclAlgorithm> only) {
  if (!only || point.library.value_or(LibraryTerms{}).algorithm.empty()) return;
  throw InputError(point.strategy + " says which algorithm runs already",
                   "leave out the other one, or take the strategy nccl", point.place("library"));
}

LibraryStrategy strategy_of(const Tuned& tuned, const Setting& setting) {
  return tuned.tuner.strategy(tuned.plan, setting.collective.bytes);
}

Report run(const Tuned& tuned, Point point, const Setting& asked, const RunSettings& settings) {
  const LibraryTuner& tuner = tuned.tuner;
  Setting setting{tuner.costs().fitted(tuned.plan, asked.collective.bytes, asked.ranks),
                  {},
                  asked.ranks,
                  asked.collective,
                  asked.background,
                  {}};
  point.rates = Rates::usable;
  const PointSchedule planned = schedule_of(point, setting, settings);
  if (settings.check && !planned.proved) prove(planned.schedule, point.strategy, settings.watch);
  Timeline timeline = timeline_of(planned, point, setting, settings);
  if (!planned.schedule.ops.empty())
    timeline.finish = {
        std::llround(tuner.microseconds(tuned.plan, microseconds(timeline.finish)) * kPicoseconds)};
  Report report = report_of(planned, timeline, point, setting, settings);
  report.facts.library = tuner.call(tuned.plan);
  return report;
}

}  // namespace

Report run_at_costs(const Point& point, const Setting& setting, const RunSettings& settings) {
  refuse_events(point);
  refuse_other_schedule(point);
  return run(tuned(point, setting, settings, std::nullopt), point, setting, settings);
}

Candidate chosen_by_library(const Point& point, const Setting& setting, const RunSettings& settings,
                            std::optional<NcclAlgorithm> only) {
  refuse_parameters(point, point.strategy);
  refuse_two_algorithms(point, only);
  LibraryStrategy chosen = strategy_of(tuned(point, setting, settings, only), setting);
  return {std::move(chosen.name), std::move(chosen.parameters)};
}

Report run_by_library(const Point& point, const Setting& setting, const RunSettings& settings,
                      std::optional<NcclAlgorithm> only) {
  refuse_parameters(point, point.strategy);
  refuse_two_algorithms(point, only);
  refuse_events(point);
  const Tuned tuned = syncsim::tuned(point, setting, settings, only);
  Point chosen = point;
  const LibraryStrategy strategy = strategy_of(tuned, setting);
  chosen.strategy = strategy.name;
  chosen.parameters = strategy.parameters;
  Report report = run(tuned, std::move(chosen), setting, settings);
  RunFacts& facts = report.facts;
  facts.choice = Choice{std::exchange(facts.strategy, point.strategy),
                        std::exchange(facts.parameters, {}),
                        std::exchange(facts.changed, {}),
                        {}};
  return report;
}

}  // namespace syncsim
