#pragma once
// What came of training steps: how long a step takes, what of it is compute and what is waiting.
// Figures are of the steady state: the step time is averaged over the steps after the second, the
// rest is of the last step that another one follows (of the only one, where there is one).

#include <span>
#include <string>
#include <vector>

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
};

struct StepReport {
  std::string model;
  int batch = 0;  // samples a rank and step
  Time step;
  Time compute;        // of the rank that computes longest
  Time communication;  // some gradients or parameters of the step were on their way
  Time exposed;        // of it, not hidden behind compute: step - compute
  double overlap = 1;  // the share of communication that is hidden: 1 - exposed / communication
  double scaling_efficiency = 1;  // the time of one rank by itself over `step`
  double samples_per_second = 0;  // of all ranks
  std::vector<BucketReport> buckets;
  std::vector<RankStep> ranks;
  std::vector<ServerLoad> servers;  // of a key-value store
};

// `alone`: what one rank needs for a step by itself.
StepReport step_report(const Schedule& schedule, const StepPlan& plan, const Timeline& timeline,
                       const Model& model, Time alone);

}  // namespace syncsim
