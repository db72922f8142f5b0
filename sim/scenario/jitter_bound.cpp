#include "sim/scenario/jitter_bound.h"

#include <algorithm>

#include "sim/report/step_report.h"

namespace syncsim {
namespace {

Time forward_and_backward(const Schedule& schedule, const StepPlan::RankOps& rank) {
  Time sum;
  for (const OpId op : rank.computes) {
    sum += schedule.durations[schedule.ops[op].source_chunk];
    if (op == rank.backward_end) break;
  }
  return sum;
}

}  // namespace

LowerBound jitter_bound(const Schedule& schedule, const StepPlan& plan, const Point& point,
                        const Model& model) {
  const bool waits =
      !point.training->step.early_forward && !plan.apart && !model.layers.back().tensors.empty();
  if (!waits) return {0, "compute", "none: a forward may begin before others' backward is over"};
  const std::size_t steps = plan.ranks.size();
  const std::size_t first = steps == 1 ? 0 : average_begin(steps) + 1;
  Time sum;
  for (std::size_t step = first; step < steps; ++step) {
    Time slowest;
    for (const auto& rank : plan.ranks[step])
      slowest = std::max(slowest, forward_and_backward(schedule, rank));
    sum += slowest;
  }
  return {seconds(sum) / static_cast<double>(steps - first), "compute",
          "the slowest rank of each step"};
}

}  // namespace syncsim
