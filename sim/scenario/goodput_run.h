#pragma once
// The goodput of training steps that fail by chance.

#include <functional>
#include <optional>

#include "sim/scenario/fault.h"

namespace syncsim {

struct GoodputQuestion {
  const StepRun& run;
  const StepReport& healthy;
  FaultCosts costs;
  std::optional<Limping> limps;  // how steps go on where nobody mends the fault
  std::function<std::optional<StepReport>(int lost)> after;  // a step with so many parts away
};

// Throws InputError at the place of "mtbf" for what would fail more often than can be followed, or
// for parts that the run has not.
GoodputReport goodput_report(const GoodputQuestion& question);

}  // namespace syncsim
