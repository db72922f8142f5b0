#include "sim/exec/replay.h"

#include <utility>

#include "sim/engine/fluid_network.h"
#include "sim/exec/engine_resources.h"
#include "sim/exec/flow_work.h"

namespace syncsim {
namespace {

struct FinishRecorder {
  std::vector<Time>& finishes;
  void record(std::uint32_t op, std::int64_t, std::int64_t, std::int64_t finish) {
    finishes[op] = {finish};
  }
};

}  // namespace

Replay replay(const Traffic& traffic, const Topology& topology, const ExecutionOptions& options) {
  const Resources resources(topology, options.rates);
  const FlowWork work(traffic, topology, resources, options.overhead, options.seed);
  Replay result;
  result.finishes.resize(traffic.flows.size());
  FinishRecorder recorder{result.finishes};
  const engine::Totals totals = engine::run(work.network(), work, recorder,
                                            options.audit ? engine::Audit::on : engine::Audit::off);
  result.resources = resource_totals(totals, resources);
  result.alone.reserve(traffic.flows.size());
  for (std::uint32_t op = 0; op < work.size(); ++op) result.alone.push_back(work.alone(op));
  return result;
}

}  // namespace syncsim
