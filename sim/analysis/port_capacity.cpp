#include "sim/analysis/port_capacity.h"

#include <algorithm>
#include <limits>

namespace syncsim {
namespace {

// Differences that add up to 0 leave their rounding, which carries nothing.
constexpr double kNothingLeft = 1e-12;

}  // namespace

void PortCapacity::change(double seconds, double difference) {
  if (difference != 0) steps_.push_back({seconds, difference});
}

PortCapacity PortCapacity::sum(std::span<const PortCapacity> ports) {
  PortCapacity sum;
  for (const PortCapacity& port : ports) {
    sum.start_ += port.start_;
    sum.steps_.insert(sum.steps_.end(), port.steps_.begin(), port.steps_.end());
  }
  std::stable_sort(sum.steps_.begin(), sum.steps_.end(),
                   [](const Step& a, const Step& b) { return a.seconds < b.seconds; });
  return sum;
}

double PortCapacity::time_of(double bytes, double from) const {
  double left = bytes;
  double since = from;
  double capacity = start_;
  for (const Step& step : steps_) {
    const double until = std::max(step.seconds, from);
    const double carried = capacity * (until - since);
    if (carried >= left) break;
    left -= carried;
    since = until;
    if (left <= bytes * kNothingLeft) return since;
    capacity = std::max(0.0, capacity + step.difference);
  }
  return capacity > 0 ? since + left / capacity : std::numeric_limits<double>::infinity();
}

}  // namespace syncsim
