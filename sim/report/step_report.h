#pragma once
// What came of training steps: how long a step takes, what of it is compute and what is waiting.
// Figures are of the steady state, averaged over the steps after the second; buckets are those of
// the last step that another one follows (of the only one, where there is one).
// Where ranks run apart (a store with staleness) each has a pace of its own, the average over the
// later half of what it did until the first rank was through; the step is that of the slowest, and
// samples are those of all paces together.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/report/fault_report.h"
#include "sim/report/published.h"
#include "sim/report/replica_report.h"
#include "sim/report/step_path.h"
#include "sim/report/step_waits.h"
#include "sim/schedule/timeline.h"
#include "sim/workload/model.h"
#include "sim/workload/training_step.h"

namespace syncsim {

// Times from the step's begin, the first compute op of any rank.
struct BucketReport {
  std::size_t index = 0;
  Bytes bytes;
  std::size_t tensors = 0;
  std::string first_tensor;  // in backward order
  Time ready;                // at the last rank
  Time start;                // of its first transfer
  Time finish;
};

struct RankStep {
  std::string node;
  Time compute;  // forward, backward, updates
  Time waiting;  // the rest of the step
  Time step;     // its own pace
  Time finish;   // of its last backward
  StepWaits waits;
};

struct StepReport {
  std::string model;
  int batch = 0;  // samples a rank and step
  Time step;
  Time compute;        // of the rank that computes longest
  Time communication;  // some gradients or parameters of the step, or batches, were on their way
  Time exposed;        // of it, not hidden behind compute: step - compute
  double overlap = 1;  // the share of communication that is hidden: 1 - exposed / communication
  double scaling_efficiency = 1;  // the time of one rank by itself over `step`
  double samples_per_second = 0;  // of all ranks
  std::vector<BucketReport> buckets;
  std::vector<RankStep> ranks;
  std::vector<ServerLoad> servers;  // of a key-value store
  std::optional<Published> published = {};
  // Where several were run: the step and what is a share of it are of their mean, the rest is of
  // the first.
  std::optional<ReplicaReport> replicas = {};
  std::optional<FaultReport> fault = {};       // where one is asked for
  std::optional<GoodputReport> goodput = {};   // likewise
  std::optional<StepPath> critical_path = {};  // where it is asked for
};

// The step that figures are of.
std::size_t measured_step(const StepPlan& plan);
// The first compute op of any rank.
Time begin_of_step(const StepPlan& plan, const Timeline& timeline, std::size_t step);
// The step time is taken from the end of this step's backward to that of the last's.
std::size_t average_begin(std::size_t steps);

// `alone`: what one rank needs for a step by itself. `held_up` is of the same run.
StepReport step_report(const Schedule& schedule, const StepPlan& plan, const Timeline& timeline,
                       HeldUp& held_up, const Model& model, Time alone);

}  // namespace syncsim
