#include "sim/report/replica_report.h"

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/base/mean_interval.h"

namespace syncsim {

ReplicaReport replica_report(std::span<const Time> steps, std::uint32_t seed) {
  require(steps.size() >= 2, "one replica says nothing of others");
  const auto count = static_cast<double>(steps.size());
  double sum = 0;
  for (const Time step : steps) sum += static_cast<double>(step.ps);
  const double mean = sum / count;
  double squares = 0;
  for (const Time step : steps) squares += std::pow(static_cast<double>(step.ps) - mean, 2);
  const double deviation = std::sqrt(squares / (count - 1));
  const double half = half_of_95_percent(deviation, count);
  const auto rounded = [](double ps) { return Time{std::llround(ps)}; };
  const auto [least, most] = std::minmax_element(steps.begin(), steps.end());
  return {.count = steps.size(),
          .seed = seed,
          .first = steps.front(),
          .mean = rounded(mean),
          .deviation = rounded(deviation),
          .low = rounded(std::max(0.0, mean - half)),
          .high = rounded(mean + half),
          .least = *least,
          .most = *most};
}

}  // namespace syncsim
