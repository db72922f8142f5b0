#include "sim/scenario/library/library_run.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sim/exec/cost_model/cost_model.h"
#include "sim/scenario/library/library_strategy.h"
#include "sim/scenario/point_schedule.h"

namespace syncsim {
namespace {

constexpr double kPicoseconds = 1e6;  // a us

// What the tuner says of a point, and what it costs.
struct Tuned {
  NcclFormula formula;
  CostModel costs;
  LibraryPlan plan;

  Tuned(const Point& point, const Setting& setting, const RunSettings& settings,
        std::optional<NcclAlgorithm> only)
      : formula(setting.machine, setting.ranks, setting.collective.kind, settings.shelf + "/rates",
                terms_of(point).pins),
        costs(setting.machine, setting.ranks, setting.collective.kind, terms_of(point), formula,
              settings.shelf + "/rates"),
        plan(plan_of(formula, setting.collective, setting.collective.bytes, only)) {}

  static LibraryTerms terms_of(const Point& point) {
    return point.library.value_or(LibraryTerms{});
  }
  LibraryStrategy strategy(const Setting& setting) const {
    return strategy_of(plan, setting.collective.kind, formula.graph(),
                       costs.chunks(plan, setting.collective.bytes));
  }
};

Tuned tuned(const Point& point, const Setting& setting, const RunSettings& settings,
            std::optional<NcclAlgorithm> only) {
  const char* field = only ? "strategy" : "topology";
  return at_field(point, field, [&] { return Tuned(point, setting, settings, only); });
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

LibraryCall facts_of(const Tuned& tuned) {
  return {tuned.costs.terms().library,
          std::string(tuned.plan.pairwise ? "send/recv" : to_string(tuned.plan.algorithm)),
          std::string(to_string(tuned.plan.protocol)),
          tuned.formula.graph().channels,
          tuned.costs.call(tuned.plan),
          tuned.costs.host(),
          tuned.costs.assumed()};
}

Report run(const Tuned& tuned, Point point, const Setting& asked, const RunSettings& settings) {
  Setting setting{tuned.costs.fitted(tuned.plan, asked.collective.bytes, asked.ranks),
                  {},
                  asked.ranks,
                  asked.collective,
                  asked.background,
                  {}};
  point.rates = Rates::usable;
  const PointSchedule planned = schedule_of(point, setting, settings);
  if (settings.check && !planned.proved) prove(planned.schedule, point.strategy, settings.watch);
  Timeline timeline = timeline_of(planned, point, setting, settings);
  const LibraryCall facts = facts_of(tuned);
  if (!planned.schedule.ops.empty())
    timeline.finish = {std::max(timeline.finish.ps + std::llround(facts.call_us * kPicoseconds),
                                std::llround(facts.host_us * kPicoseconds))};
  Report report = report_of(planned, timeline, point, setting, settings);
  report.facts.library = facts;
  return report;
}

}  // namespace

Report run_at_costs(const Point& point, const Setting& setting, const RunSettings& settings) {
  refuse_events(point);
  return run(tuned(point, setting, settings, std::nullopt), point, setting, settings);
}

Candidate chosen_by_library(const Point& point, const Setting& setting, const RunSettings& settings,
                            std::optional<NcclAlgorithm> only) {
  refuse_parameters(point, point.strategy);
  LibraryStrategy chosen = tuned(point, setting, settings, only).strategy(setting);
  return {std::move(chosen.name), std::move(chosen.parameters)};
}

Report run_by_library(const Point& point, const Setting& setting, const RunSettings& settings,
                      std::optional<NcclAlgorithm> only) {
  refuse_parameters(point, point.strategy);
  refuse_events(point);
  const Tuned tuned = syncsim::tuned(point, setting, settings, only);
  Point chosen = point;
  const LibraryStrategy strategy = tuned.strategy(setting);
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
