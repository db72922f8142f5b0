// Runs a schedule through the event engine.

#include <fmt/format.h>

#include <utility>

#include "sim/engine/fluid_network.h"
#include "sim/exec/background_work.h"
#include "sim/exec/engine_resources.h"
#include "sim/exec/rate_follower.h"
#include "sim/exec/run_memory.h"
#include "sim/exec/stalled_run.h"
#include "sim/exec/transfer_work.h"

namespace syncsim {
namespace {

struct OpRecorder {
  std::vector<OpTimes> ops;
  void record(std::uint32_t op, std::int64_t ready, std::int64_t start, std::int64_t finish) {
    ops[op] = {{ready}, {start}, {finish}};
  }
};

// Passes over what lies behind the schedule's ops.
struct ScheduleRecorder : OpRecorder {
  void record(std::uint32_t op, std::int64_t ready, std::int64_t start, std::int64_t finish) {
    if (op < ops.size()) OpRecorder::record(op, ready, start, finish);
  }
};

// The same, and tells of rates.
struct RateRecorder {
  ScheduleRecorder& times;
  RateFollower follower;

  void record(std::uint32_t op, std::int64_t ready, std::int64_t start, std::int64_t finish) {
    times.record(op, ready, start, finish);
  }
  void solved(const engine::FairShare& flows, std::int64_t now) { follower.solved(flows, now); }
};

struct NoRecorder {
  void record(std::uint32_t, std::int64_t, std::int64_t, std::int64_t) {}
};

InternalError blocked(const Schedule& schedule, const engine::Deadlock& deadlock) {
  std::string message = fmt::format("the schedule cannot finish: {} of {} ops wait for ever",
                                    deadlock.unfinished, schedule.ops.size());
  for (const std::uint32_t op : deadlock.blocked) message += "\n  " + describe(schedule, op);
  return InternalError(message);
}

// A schedule and what it runs on.
struct Setting {
  const Schedule& schedule;
  const Resources& resources;
  const ExecutionOptions& options;
  std::vector<engine::CapacityChange> changes;
};

template <class Work>
void require_room_for(const Setting& setting, const Work& work) {
  const std::uint64_t need =
      schedule_bytes(size_of(setting.schedule)) + simulation_bytes(simulation_size(work));
  require_room(
      setting.options.memory, need, "the simulation",
      fmt::format("{} ops on {} lanes", rough_count(work.size()), rough_count(work.lane_count())),
      "run fewer ranks, chunks or background flows");
}

template <class Work, class Recorder>
engine::Totals simulate(const Setting& setting, const Work& work, Recorder& recorder) {
  try {
    return engine::run(work.network(), work, recorder,
                       setting.options.audit ? engine::Audit::on : engine::Audit::off,
                       setting.changes, setting.options.watch);
  } catch (const engine::Deadlock& deadlock) {
    if (deadlock.stalls.empty()) throw blocked(setting.schedule, deadlock);
    throw stalled_run(deadlock, setting.resources, setting.options.changes, "op",
                      [&](std::uint32_t op) { return describe(setting.schedule, op); });
  }
}

// Of the schedule `work` is made from; `Recorder` keeps the times of its ops.
template <class Recorder, class Work>
Timeline timeline_of(const Setting& setting, const Work& work) {
  require_room_for(setting, work);
  const bool record = setting.options.record_ops;
  ScheduleRecorder recorder{{std::vector<OpTimes>(record ? setting.schedule.ops.size() : 0)}};
  const auto totals = [&] {
    if (RateWatch* const watch = setting.options.rate_watch) {
      RateRecorder rates{recorder, RateFollower(work.network(), work.lane_count(), *watch)};
      return simulate(setting, work, rates);
    }
    if (record) return simulate(setting, work, static_cast<Recorder&>(recorder));
    NoRecorder none;
    return simulate(setting, work, none);
  }();
  return {totals.finish, totals.ops_done, totals.stopped, std::move(recorder.ops),
          resource_totals(totals, setting.resources, setting.changes, Time{0}, totals.finish)};
}

}  // namespace

Timeline execute_simulated(const Schedule& schedule, const Topology& topology,
                           const ExecutionOptions& options) {
  const Resources resources(topology, options.rates);
  const TransferWork work(schedule, topology, resources, options);
  const Setting setting{schedule, resources, options,
                        capacity_changes(options.changes, resources, options.rates)};
  Timeline timeline = [&] {
    if (options.background == nullptr) return timeline_of<OpRecorder>(setting, work);
    const FlowWork background(*options.background, topology, resources, options.overhead,
                              options.seed);
    return timeline_of<ScheduleRecorder>(setting, BackgroundWork(work, background));
  }();
  timeline.staged_freely.assign(work.staged_freely().begin(), work.staged_freely().end());
  return timeline;
}

}  // namespace syncsim
