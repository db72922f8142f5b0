#include "sim/scenario/run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "sim/analysis/bounds.h"
#include "sim/exec/executor.h"
#include "sim/exec/run_memory.h"
#include "sim/exec/traffic.h"
#include "sim/scenario/rings_file.h"
#include "sim/scenario/setting.h"
#include "sim/schedule/check.h"
#include "sim/schedule/strategy.h"

namespace syncsim {
namespace {

std::optional<Traffic> background_of(const Point& point, const Topology& machine,
                                     const RunSettings& settings) {
  if (point.background.empty()) return std::nullopt;
  const ReadingOptions reading{.watch = settings.watch, .memory = settings.memory};
  return at_field(point, "background",
                  [&] { return load_traffic(point.background, machine, reading); });
}

void prove(const Schedule& schedule, const std::string& strategy, Watch* watch) {
  if (const auto violation = check(schedule, {.watch = watch}))
    throw InternalError(
        fmt::format("strategy {} emitted a wrong schedule: {}", strategy, violation->message));
}

// Whoever asks for less ranks changes these, or else the strategy.
void require_room_for(const ScheduleSize& size, const Point& point, const Topology& machine,
                      const RunSettings& settings) {
  const std::string place = point.place(point.place("ranks").empty() ? "strategy" : "ranks");
  const std::uint64_t need = peak_bytes(size, size_of(machine), settings.check);
  const std::string what = fmt::format("{} on {} ranks", point.strategy, size.ranks);
  const std::string transfers = fmt::format("{} transfers", rough_count(size.ops));
  placed([&] { return place; },
         [&] {
           require_room(settings.memory, need, what, transfers, "use fewer ranks or chunks");
           if (size.ops <= kMostOps) return;
           throw InputError(fmt::format("{} makes {} (about {}), more than the {} ops that a "
                                        "schedule holds",
                                        what, transfers, rough_bytes(need), kMostOps),
                            "use fewer ranks or chunks");
         });
}

Schedule schedule_of(const Point& point, const StrategyInput& input, const Collective& collective,
                     const RunSettings& settings) {
  const Oversight oversight{settings.watch, [&](const ScheduleSize& size) {
                              require_room_for(size, point, input.topology, settings);
                            }};
  return at_field(point, "strategy", [&] {
    return emit(strategies().at(point.strategy), input.topology, input.ranks, collective,
                input.parameters, oversight);
  });
}

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

struct Run {
  const Point& point;
  const RunSettings& settings;
  const Topology& machine;
  std::span<const LinkChange> changes;
};

Timeline timeline_of(const Run& run, const Schedule& schedule, const Traffic* background) {
  const Executor& executor = at_field(run.point, "executor", [&]() -> const Executor& {
    return executors().at(run.point.executor);
  });
  const ExecutionOptions options{.rates = run.point.rates,
                                 .overhead = run.point.overhead,
                                 .record_ops = true,
                                 .audit = run.settings.audit,
                                 .seed = run.point.seed,
                                 .background = background,
                                 .changes = run.changes,
                                 .watch = run.settings.watch,
                                 .memory = run.settings.memory};
  Timeline timeline = at_field(run.point, "topology",
                               [&] { return executor.execute(schedule, run.machine, options); });
  require_whole(schedule, timeline);
  return timeline;
}

RunFacts facts_of(const Run& run, const Parameters& parameters, const Collective& collective,
                  std::size_t background_flows) {
  const Point& point = run.point;
  return {
      point.name,       run.machine.name(),  texts(point.edits),
      point.strategy,   parameters.all(),    parameters.changed(),
      collective,       point.executor,      point.rates,
      point.scenario,   point.ranks,         point.overhead,
      point.seed,       run.settings.check,  point.background,
      background_flows, texts(point.events), event_reports(run.machine, run.changes, point.rates)};
}

}  // namespace

Report run_point(const Point& point, const RunSettings& settings) {
  const auto [machine, changes, ranks, collective] = setting_of(point, settings);
  const Strategy& strategy = strategies().at(point.strategy);
  const GivenParameters given = given_parameters(point, machine, ranks);
  const Parameters parameters(strategy.name, strategy.parameters, given.values, given.places);

  const Schedule schedule = schedule_of(point, {machine, ranks, parameters}, collective, settings);
  if (settings.check) prove(schedule, point.strategy, settings.watch);

  const std::optional<Traffic> background = background_of(point, machine, settings);
  const Run run{point, settings, machine, changes};
  const Timeline timeline = timeline_of(run, schedule, background ? &*background : nullptr);
  const std::vector<NodeId> helpers = helpers_of(schedule, machine);
  const LowerBound bound = lower_bound({.topology = machine,
                                        .ranks = ranks,
                                        .collective = collective,
                                        .rates = point.rates,
                                        .changes = changes,
                                        .helpers = helpers,
                                        .overhead = point.overhead});
  RunFacts facts = facts_of(run, parameters, collective, background ? background->flows.size() : 0);
  Report report = make_report(std::move(facts), machine, schedule, timeline, bound);
  if (settings.critical_path) add_critical_path(report, machine, schedule, timeline);
  return report;
}

}  // namespace syncsim
