// The executor nccl_formula: what NCCL's own model of time says of a schedule's one collective.
// The schedule's ops do not count: NCCL would choose its own.

#include <cmath>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/exec/executor.h"
#include "sim/exec/nccl/nccl_formula.h"
#include "sim/topology/resources.h"

namespace syncsim {

Timeline execute_nccl_formula(const Schedule& schedule, const Topology& topology,
                              const ExecutionOptions& options) {
  if (schedule.collectives.size() != 1)
    throw InputError(
        "NCCL's formula times one collective, not " + std::to_string(schedule.collectives.size()),
        "run it with --executor simulated");
  if (!schedule.durations.empty())
    throw InputError("NCCL's formula knows neither computing nor ranks that come late",
                     "leave them out, or run with --executor simulated");
  if (options.background != nullptr || !options.changes.empty())
    throw InputError("NCCL's formula knows neither other traffic nor events",
                     "leave them out, or run with --executor simulated");
  std::vector<NodeId> ranks;
  for (std::uint32_t rank = 0; rank < schedule.ranks; ++rank)
    ranks.push_back(topology.node(schedule.participants[rank]));
  const Collective& collective = schedule.collectives.front().collective;
  const NcclFormula formula(topology, ranks, collective.kind, options.library_figures);
  constexpr double kPicoseconds = 1e6;  // a us
  Timeline timeline;
  timeline.finish = {std::llround(formula.best(collective.bytes).microseconds * kPicoseconds)};
  timeline.ops_done = schedule.ops.size();
  const Resources resources(topology, options.rates);
  for (const Resource& resource : resources.all()) {
    ResourceTotals& idle = timeline.resources.emplace_back();
    idle.name = resource.name;
    idle.capacity = resource.capacity;
  }
  return timeline;
}

}  // namespace syncsim
