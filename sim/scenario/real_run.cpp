#include "sim/scenario/real_run.h"

#include <utility>

#include "sim/scenario/select.h"
#include "sim/scenario/setting.h"

namespace syncsim {
namespace {

void refuse_what_is_modelled(const Point& point) {
  const auto refuse = [&](bool asked, const char* field, const char* what) {
    if (asked)
      throw InputError(std::string(what) + " is there in models only",
                       "leave it out of what is run for real", point.place(field));
  };
  refuse(!point.events.empty(), "events", "a link that changes in mid-run");
  refuse(!point.background.empty(), "background", "traffic in the background");
  refuse(point.training && point.training->replicas > 1, "replicas", "a replica of another seed");
}

Point with_choice(Point point, const Report& simulated) {
  if (simulated.facts.choice) {
    point.strategy = simulated.facts.choice->strategy;
    point.parameters = simulated.facts.choice->changed;
  }
  return point;
}

}  // namespace

Timeline RealRun::measured(const Schedule& schedule, const Topology& machine, Timeline simulated) {
  measurement_ = executor_.measure(schedule, machine, options_);
  Timeline timeline = measurement_.timeline;
  timeline.resources = std::move(simulated.resources);
  for (ResourceTotals& totals : timeline.resources) totals.busy = totals.saturated = {};
  for (ResourceTotals& totals : timeline.resources) totals.peak = 0;
  timeline.staged_freely = std::move(simulated.staged_freely);
  return timeline;
}

Execution run_for_real(const Point& point, const RunSettings& settings,
                       const RealExecutor& executor, RealOptions options) {
  refuse_what_is_modelled(point);
  Execution execution;
  execution.simulated = run_point(point, settings);
  options.watch = settings.watch;
  options.memory = settings.memory;
  RealRun real(executor, options);
  RunSettings own = settings;
  own.check = false;  // it is proved by now
  own.real = &real;
  execution.measured = run_point(with_choice(point, execution.simulated), own);
  execution.measured.facts = execution.simulated.facts;
  execution.measured.facts.executor = executor.name;
  execution.measurement = real.measurement();
  execution.warmup = options.warmup;
  return execution;
}

}  // namespace syncsim
