// How ranks come by their batches in training steps.

#include <algorithm>

#include "sim/workload/step_emitter.h"

namespace syncsim {

// On each rank's lane an op that waits for the batch stands before the first forward. Where it
// ends, forward begins, and so does what is loaded ahead.
void StepEmitter::take_batches() {
  const auto first = static_cast<OpId>(builder_.ops());
  builder_.phase("batches");
  if (step_ == 0) bring_first();
  for (int rank = 0; rank < ranks(); ++rank) {
    mark(StepPart::batch, static_cast<std::size_t>(step_));
    if (loading_->ahead() == 0) bring(step_, rank, compute(step_, rank, kAtOnce));
    const OpId begins = compute(step_, rank, kAtOnce, Access::reads, loading_->batch(step_));
    if (loading_->ahead() > 0) bring(step_ + loading_->ahead(), rank, begins);
  }
  plan_.batches.back().push_back({first, static_cast<OpId>(builder_.ops())});
}

void StepEmitter::bring_first() {
  for (int step = 0; step < loading_->ahead(); ++step)
    for (int rank = 0; rank < ranks(); ++rank) bring(step, rank, kNone);
}

// Those for steps behind the last keep links as busy as they were; of a single step it is the end
// of all that counts.
void StepEmitter::bring(int step, int rank, OpId after) {
  if (options_.steps == 1 && step > step_) return;
  mark(StepPart::batch, static_cast<std::size_t>(step));
  loading_->bring(step, participant(rank), after);
}

}  // namespace syncsim
