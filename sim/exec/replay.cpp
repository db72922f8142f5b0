#include "sim/exec/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/engine/fluid_network.h"
#include "sim/exec/engine_resources.h"
#include "sim/exec/flow_work.h"
#include "sim/exec/run_memory.h"
#include "sim/exec/stalled_run.h"

namespace syncsim {
namespace {

struct FinishRecorder {
  std::vector<Time>& finishes;
  void record(std::uint32_t op, std::int64_t, std::int64_t, std::int64_t finish) {
    finishes[op] = {finish};
  }
};

Time first_start(const Traffic& traffic) {
  Time first = traffic.flows.front().start;
  for (const Flow& flow : traffic.flows) first = std::min(first, flow.start);
  return first;
}

std::string told(const Traffic& traffic, const Topology& topology, std::uint32_t op) {
  const Flow& flow = traffic.flows[op];
  return fmt::format("{}: {} to {}", traffic.place(flow), topology.nodes()[flow.source].id,
                     topology.nodes()[flow.destination].id);
}

}  // namespace

Replay replay(const Traffic& traffic, const Topology& topology, const ExecutionOptions& options) {
  const Resources resources(topology, options.rates);
  const FlowWork work(traffic, topology, resources, options.overhead, options.seed);
  require_room(options.memory, replay_bytes(simulation_size(work)),
               fmt::format("a replay of {} flows", rough_count(work.size())), "",
               "split the traffic into smaller files");
  Replay result;
  result.finishes.resize(traffic.flows.size(), Replay::kUnfinished);
  FinishRecorder recorder{result.finishes};
  const auto changes = capacity_changes(options.changes, resources, options.rates);
  const auto audit = options.audit ? engine::Audit::on : engine::Audit::off;
  try {
    const engine::Totals totals =
        engine::run(work.network(), work, recorder, audit, changes, options.watch);
    result.finished = totals.ops_done;
    result.stopped = totals.stopped;
    result.reached = totals.finish;
    result.resources =
        resource_totals(totals, resources, changes, first_start(traffic), totals.finish);
  } catch (const engine::Deadlock& deadlock) {
    throw stalled_run(deadlock, resources, options.changes, "flow",
                      [&](std::uint32_t op) { return told(traffic, topology, op); });
  }
  result.alone.reserve(traffic.flows.size());
  for (std::uint32_t op = 0; op < work.size(); ++op) result.alone.push_back(work.alone(op));
  return result;
}

}  // namespace syncsim
