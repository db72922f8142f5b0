// Runs a schedule through the event engine.

#include <fmt/format.h>

#include "sim/engine/fluid_network.h"
#include "sim/exec/transfer_work.h"

namespace syncsim {
namespace {

struct OpRecorder {
  std::vector<OpTimes> ops;
  void record(std::uint32_t op, std::int64_t ready, std::int64_t start, std::int64_t finish) {
    ops[op] = {{ready}, {start}, {finish}};
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

template <class Recorder>
engine::Totals simulate(const Schedule& schedule, const TransferWork& work, Recorder& recorder,
                        bool audit) {
  try {
    return engine::run(work.network(), work, recorder,
                       audit ? engine::Audit::on : engine::Audit::off);
  } catch (const engine::Deadlock& deadlock) {
    throw blocked(schedule, deadlock);
  }
}

Timeline to_timeline(const engine::Totals& totals, const Resources& resources) {
  Timeline timeline{totals.finish, totals.ops_done, {}, {}};
  for (std::size_t i = 0; i < resources.all().size(); ++i) {
    const Resource& resource = resources.all()[i];
    const engine::ResourceUsage& usage = totals.resources[i];
    timeline.resources.push_back(
        {resource.name, resource.capacity, usage.bytes, {usage.busy}, {usage.saturated}});
  }
  return timeline;
}

}  // namespace

Timeline execute_simulated(const Schedule& schedule, const Topology& topology,
                           const ExecutionOptions& options) {
  const Resources resources(topology, options.rates);
  const TransferWork work(schedule, topology, resources, options);
  if (!options.record_ops) {
    NoRecorder recorder;
    return to_timeline(simulate(schedule, work, recorder, options.audit), resources);
  }
  OpRecorder recorder{std::vector<OpTimes>(schedule.ops.size())};
  Timeline timeline = to_timeline(simulate(schedule, work, recorder, options.audit), resources);
  timeline.ops = std::move(recorder.ops);
  return timeline;
}

}  // namespace syncsim
