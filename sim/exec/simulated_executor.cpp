// Runs a schedule through the event engine.

#include <fmt/format.h>

#include <utility>

#include "sim/engine/fluid_network.h"
#include "sim/exec/background_work.h"
#include "sim/exec/engine_resources.h"
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

struct NoRecorder {
  void record(std::uint32_t, std::int64_t, std::int64_t, std::int64_t) {}
};

InternalError blocked(const Schedule& schedule, const engine::Deadlock& deadlock) {
  std::string message = fmt::format("the schedule cannot finish: {} of {} ops wait for ever",
                                    deadlock.unfinished, schedule.ops.size());
  for (const std::uint32_t op : deadlock.blocked) message += "\n  " + describe(schedule, op);
  return InternalError(message);
}

template <class Work, class Recorder>
engine::Totals simulate(const Schedule& schedule, const Work& work, Recorder& recorder,
                        bool audit) {
  try {
    return engine::run(work.network(), work, recorder,
                       audit ? engine::Audit::on : engine::Audit::off);
  } catch (const engine::Deadlock& deadlock) {
    throw blocked(schedule, deadlock);
  }
}

// Of the schedule `work` is made from; `Recorder` keeps the times of its ops.
template <class Recorder, class Work>
Timeline timeline_of(const Schedule& schedule, const Work& work, const Resources& resources,
                     const ExecutionOptions& options) {
  Recorder recorder{std::vector<OpTimes>(options.record_ops ? schedule.ops.size() : 0)};
  const auto totals = [&] {
    if (options.record_ops) return simulate(schedule, work, recorder, options.audit);
    NoRecorder none;
    return simulate(schedule, work, none, options.audit);
  }();
  return {totals.finish, totals.ops_done, std::move(recorder.ops),
          resource_totals(totals, resources)};
}

}  // namespace

Timeline execute_simulated(const Schedule& schedule, const Topology& topology,
                           const ExecutionOptions& options) {
  const Resources resources(topology, options.rates);
  const TransferWork work(schedule, topology, resources, options);
  if (options.background == nullptr)
    return timeline_of<OpRecorder>(schedule, work, resources, options);
  const FlowWork background(*options.background, topology, resources, options.overhead,
                            options.seed);
  return timeline_of<ScheduleRecorder>(schedule, BackgroundWork(work, background), resources,
                                       options);
}

}  // namespace syncsim
