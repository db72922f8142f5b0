#pragma once
// Points run for real: emitted, proved and simulated as ever, and then measured.

#include "sim/exec/real/real_executor.h"
#include "sim/report/execution.h"
#include "sim/scenario/point.h"
#include "sim/scenario/run.h"

namespace syncsim {

// Runs what a point simulates for real as well.
class RealRun {
 public:
  RealRun(const RealExecutor& executor, const RealOptions& options)
      : executor_(executor), options_(options) {}

  // The measured times of the ops, with the bytes that the simulated run says links carry.
  Timeline measured(const Schedule& schedule, const Topology& machine, Timeline simulated);
  const Measurement& measurement() const { return measurement_; }

 private:
  const RealExecutor& executor_;
  RealOptions options_;
  Measurement measurement_;
};

// A choice such as auto measures what it chose. The limits of `settings` hold for `options`, too.
// Throws InputError, with the place of the point's field, for what cannot be had for real: events,
// background, replicas; all else as run_point and the executor do.
Execution run_for_real(const Point& point, const RunSettings& settings,
                       const RealExecutor& executor, RealOptions options);

}  // namespace syncsim
