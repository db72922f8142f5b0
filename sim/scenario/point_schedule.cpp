#include "sim/scenario/point_schedule.h"

#include <fmt/format.h>

#include <utility>

#include "sim/exec/run_memory.h"
#include "sim/scenario/plan_strategy.h"
#include "sim/scenario/rings_file.h"
#include "sim/schedule/check.h"
#include "sim/schedule/late_start.h"

namespace syncsim {
namespace {

// Whoever asks for less ranks changes these, or else the strategy.
void require_room_at(const ScheduleSize& size, const Point& point, const Topology& machine,
                     const RunSettings& settings) {
  const std::string place = point.place(point.place("ranks").empty() ? "strategy" : "ranks");
  placed([&] { return place; }, [&] { require_room_for(size, point.strategy, machine, settings); });
}

PointSchedule from_plan(const Point& point, const Setting& setting, const RunSettings& settings) {
  PlannedSchedule planned =
      at_field(point, "strategy", [&] { return planned_schedule(point, setting, settings); });
  require_room_at(size_of(planned.schedule), point, setting.machine, settings);
  return {std::move(planned.schedule), std::move(planned.ranks), {point.strategy, {}, {}}, true};
}

PointSchedule emitted(const Point& point, const Setting& setting, const RunSettings& settings) {
  const Strategy& strategy = strategies().at(point.strategy);
  const GivenParameters given = given_parameters(point, setting.machine, setting.ranks);
  Parameters parameters(strategy.name, strategy.parameters, given.values, given.places);
  const Oversight oversight = oversight_of(point, setting.machine, settings);
  Schedule schedule = at_field(point, "strategy", [&] {
    return emit(strategy, setting.machine, setting.ranks, setting.collective, parameters, oversight,
                {point.reduction, point.overhead});
  });
  return {std::move(schedule), setting.ranks, std::move(parameters), false};
}

// A rank that the run has not would be nobody's.
void require_ranks(const Point& point, std::uint32_t ranks) {
  if (point.start.empty() || std::cmp_less(point.start.rbegin()->first, ranks)) return;
  throw InputError(fmt::format("rank {} of {} starts late", point.start.rbegin()->first, ranks),
                   fmt::format("name ranks of the run, 0 to {}", ranks - 1), point.place("start"));
}

PointSchedule without_delays(const Point& point, const Setting& setting,
                             const RunSettings& settings) {
  if (point.script) return scripted(point, setting, settings);
  if (is_plan(point.strategy)) return from_plan(point, setting, settings);
  return emitted(point, setting, settings);
}

}  // namespace

void require_room_for(const ScheduleSize& size, const std::string& strategy,
                      const Topology& machine, const RunSettings& settings) {
  const std::uint64_t need = peak_bytes(size, size_of(machine), settings.check);
  const std::string what = fmt::format("{} on {} ranks", strategy, size.ranks);
  const std::string transfers = fmt::format("{} transfers", rough_count(size.ops));
  require_room(settings.memory, need, what, transfers, "use fewer ranks or chunks");
  if (size.ops > kMostOps)
    throw InputError(fmt::format("{} makes {} (about {}), more than the {} ops that a "
                                 "schedule holds",
                                 what, transfers, rough_bytes(need), kMostOps),
                     "use fewer ranks or chunks");
  if (size.ops <= settings.most_ops && size.lanes <= settings.most_lanes) return;
  throw InputError(fmt::format("{} makes {} on {} lanes, more than a choice tries", what, transfers,
                               rough_count(size.lanes)),
                   "run it by name");
}

PointSchedule schedule_of(const Point& point, const Setting& setting, const RunSettings& settings) {
  PointSchedule planned = without_delays(point, setting, settings);
  require_ranks(point, planned.schedule.ranks);
  planned.schedule = start_late(std::move(planned.schedule), point.start);
  return planned;
}

Oversight oversight_of(const Point& point, const Topology& machine, const RunSettings& settings) {
  return {settings.watch,
          [&](const ScheduleSize& size) { require_room_at(size, point, machine, settings); }};
}

void prove(const Schedule& schedule, const std::string& strategy, Watch* watch) {
  if (const auto violation = check(schedule, {.watch = watch}))
    throw InternalError(
        fmt::format("strategy {} emitted a wrong schedule: {}", strategy, violation->message));
}

}  // namespace syncsim
