#include "sim/report/execution.h"

#include <cmath>

namespace syncsim {

std::optional<double> deviation(Time measured, Time simulated) {
  if (simulated.ps == 0) return {};
  return seconds(measured) / seconds(simulated) - 1;
}

std::optional<double> Execution::deviation() const {
  return syncsim::deviation(measured.time, simulated.time);
}

bool Execution::as_expected() const {
  if (!tolerance) return true;
  const auto found = deviation();
  return found ? std::abs(*found) <= *tolerance : measured.time == simulated.time;
}

}  // namespace syncsim
