#include "sim/scenario/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/analysis/bounds.h"
#include "sim/base/quote.h"
#include "sim/engine/clock.h"
#include "sim/exec/executor.h"
#include "sim/exec/rate_follower.h"
#include "sim/report/link_flows.h"
#include "sim/report/run_drawing.h"
#include "sim/scenario/library/library_run.h"
#include "sim/scenario/point_schedule.h"
#include "sim/scenario/real_run.h"
#include "sim/scenario/select.h"
#include "sim/scenario/setting.h"

namespace syncsim {
namespace {

// Of the transfers that are finished.
Bytes delivered(const Schedule& schedule, const Timeline& timeline) {
  Bytes bytes;
  for (std::size_t op = 0; op < timeline.ops.size(); ++op)
    if (timeline.ops[op].finish.ps > 0) bytes = bytes + schedule.bytes(schedule.ops[op]);
  return bytes;
}

void require_whole(const Schedule& schedule, const Timeline& timeline) {
  if (timeline.stopped)
    throw Interrupted({Stage::simulating, timeline.ops_done, schedule.ops.size(), timeline.finish},
                      delivered(schedule, timeline));
}

// Of edits or events.
template <class Written>
std::vector<std::string> texts(const std::vector<Written>& list) {
  std::vector<std::string> result;
  for (const Written& written : list) result.push_back(written.text);
  return result;
}

RunFacts facts_of(const Point& point, const Setting& setting, const Parameters& parameters,
                  bool checked) {
  return {point.name,          setting.machine.name(),
          texts(point.edits),  point.strategy,
          parameters.all(),    parameters.changed(),
          setting.collective,  point.executor,
          point.rates,         point.scenario,
          point.ranks,         point.overhead,
          point.seed,          checked,
          point.background,    setting.background ? setting.background->flows.size() : 0,
          texts(point.events), event_reports(setting.machine, setting.changes, point.rates),
          point.reduction,     point.start};
}

// When what comes to a rank's node, or leaves it, waits for the rank. A helper on the same node
// does not.
std::vector<Time> starts_of(const Point& point, const PointSchedule& planned,
                            const Topology& machine) {
  if (point.start.empty()) return {};
  std::vector<Time> starts(planned.ranks.size());
  for (const auto& [rank, start] : point.start) starts[static_cast<std::size_t>(rank)] = start;
  const Schedule& schedule = planned.schedule;
  for (std::size_t i = schedule.ranks; i < schedule.participants.size(); ++i) {
    const auto rank = std::find(planned.ranks.begin(), planned.ranks.end(),
                                machine.node(schedule.participants[i]));
    if (rank != planned.ranks.end())
      starts[static_cast<std::size_t>(rank - planned.ranks.begin())] = {};
  }
  return starts;
}

}  // namespace

Timeline timeline_of(const PointSchedule& planned, const Point& point, const Setting& setting,
                     const RunSettings& settings) {
  const Schedule& schedule = planned.schedule;
  const Executor& executor = at_field(
      point, "executor", [&]() -> const Executor& { return executor_named(point.executor); });
  if (!executor.times_ops && settings.drawing != nullptr)
    throw InputError(in_quotes(executor.name) + " knows no ops that could be drawn",
                     "draw with --executor simulated", point.place("executor"));
  PeakRates rates(settings.drawing);
  const bool follow_rates = (settings.links || settings.drawing != nullptr) &&
                            schedule.ops.size() <= settings.most_ops_followed;
  const ExecutionOptions options{.rates = point.rates,
                                 .overhead = point.overhead,
                                 .record_ops = true,
                                 .audit = settings.audit,
                                 .seed = point.seed,
                                 .background = setting.background ? &*setting.background : nullptr,
                                 .changes = setting.changes,
                                 .rate_watch = follow_rates ? &rates : nullptr,
                                 .watch = settings.watch,
                                 .memory = settings.memory,
                                 .library_figures = settings.shelf + "/rates"};
  if (settings.drawing != nullptr)
    settings.drawing->begin_point(setting.machine, point.rates, setting.changes);
  Timeline timeline = at_field(point, "topology", [&] {
    try {
      return executor.execute(schedule, setting.machine, options);
    } catch (const engine::TimeOverflow& failure) {
      throw failure.at(point.place("bytes"));
    }
  });
  require_whole(schedule, timeline);
  rates.put_into(timeline);
  if (settings.real == nullptr) return timeline;
  return at_field(point, "bytes", [&] {
    return settings.real->measured(schedule, setting.machine, std::move(timeline));
  });
}

Report report_of(const PointSchedule& planned, const Timeline& timeline, const Point& point,
                 const Setting& setting, const RunSettings& settings) {
  const Schedule& schedule = planned.schedule;
  const std::vector<NodeId> helpers = helpers_of(schedule, setting.machine);
  const std::vector<Time> starts = starts_of(point, planned, setting.machine);
  const LowerBound bound = lower_bound({.topology = setting.machine,
                                        .ranks = planned.ranks,
                                        .collective = setting.collective,
                                        .rates = point.rates,
                                        .changes = setting.changes,
                                        .helpers = helpers,
                                        .overhead = point.overhead,
                                        .starts = starts});
  RunFacts facts = facts_of(point, setting, planned.parameters, settings.check || planned.proved);
  Report report = make_report(std::move(facts), setting.machine, schedule, timeline, bound);
  if (settings.links) add_link_flows(report, setting.machine, schedule, settings.memory);
  if (settings.critical_path) add_critical_path(report, setting.machine, schedule, timeline);
  if (settings.drawing != nullptr)
    settings.drawing->end_point(report, setting.machine, schedule, timeline);
  return report;
}

Report run_point(const Point& point, const RunSettings& settings) {
  const Setting setting = setting_of(point, settings);
  if (point.training) return run_training(point, setting, settings);
  const ChoiceRow* choice = choices().find(point.strategy);
  if (choice != nullptr && !point.script) return choice->run(point, setting, settings);
  if (point.library) return run_at_costs(point, setting, settings);
  const PointSchedule planned = schedule_of(point, setting, settings);
  if (settings.check && !planned.proved) prove(planned.schedule, point.strategy, settings.watch);
  const Timeline timeline = timeline_of(planned, point, setting, settings);
  return report_of(planned, timeline, point, setting, settings);
}

}  // namespace syncsim
