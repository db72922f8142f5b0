#pragma once
// Who runs a planned graph, and what comes of it.

#include <functional>
#include <memory>
#include <vector>

#include "sim/exec/cuda/graph_plan.h"
#include "sim/exec/cuda/place_runner.h"
#include "sim/exec/real/elements.h"
#include "sim/exec/real/real_executor.h"

namespace syncsim {

class GraphRunner : public PlaceRunner {
 public:
  // The plan with stamps once: their times by number, on one clock; of those not taken any.
  virtual std::vector<Time> run_stamped() = 0;
};

struct GraphTask {
  const GraphPlan& plan;
  const GraphPlan& stamped;  // the same with_stamps
  const DeviceMap& map;
  const ElementType& type;
};
// Keeps references. Throws InputError for what the machine refuses.
using MakeGraphRunner = std::function<std::unique_ptr<GraphRunner>(const GraphTask&)>;

// The times of the ops by their stamps, from the earliest on. Where the clocks of two devices
// differ, no op starts before what it waits for is finished.
Timeline timeline_of(const Schedule& schedule, const GraphPlan& stamped,
                     const std::vector<Time>& stamps);
// In proportion, so that it ends at `whole`.
Timeline drawn_to(Timeline timeline, Time whole);

// As real_executor.h says. The iterations, and so `times`, are of launches without stamps; the
// timeline is of one launch more, with stamps, drawn in proportion to the median.
Measurement measure_planned(const Schedule& schedule, const RealOptions& options,
                            const CudaFacts& facts, const MakeGraphRunner& make);

// By devices. Throws InputError where this build has no CUDA.
std::unique_ptr<GraphRunner> make_cuda_runner(const GraphTask& task);

}  // namespace syncsim
