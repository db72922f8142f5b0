#pragma once
// Who is late and who waits: between the ends of two backwards of a rank, what it did when it did
// not compute. Every such gap is followed back from the compute op behind it, from op to what held
// that op up, to where the gap begins: the parts of it in which another rank computed or paused are
// waiting for that rank, its own pauses are pauses, and the rest is transfer: data that was on its
// way, at a server's updater, or held back for a framework's cycle.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/report/held_up.h"
#include "sim/schedule/timeline.h"
#include "sim/workload/training_step.h"

namespace syncsim {

struct StepWaits {
  static constexpr int kNobody = -1;

  Time for_ranks;
  Time transfer;
  Time pause;
  int longest = kNobody;  // the rank that it waited for longest; of equals the first
};

// The steps that an average is of: behind the end of `from`'s backward, or from the begin of the
// run, up to the end of `last`'s.
struct StepWindow {
  static constexpr std::size_t kBegin = static_cast<std::size_t>(-1);

  std::size_t from = kBegin;
  std::size_t last = 0;

  std::size_t first() const { return from == kBegin ? 0 : from + 1; }
  std::int64_t steps() const { return static_cast<std::int64_t>(last + 1 - first()); }
};

// By rank, on the average over its window, times rounded down. `held_up` is of the same run.
std::vector<StepWaits> step_waits(const Schedule& schedule, const StepPlan& plan,
                                  const Timeline& timeline, HeldUp& held_up,
                                  std::span<const StepWindow> windows);

}  // namespace syncsim
