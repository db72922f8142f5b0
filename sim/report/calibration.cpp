#include "sim/report/calibration.h"

#include <algorithm>
#include <cmath>

namespace syncsim {

CalibrationError Calibration::error(bool held_out) const {
  CalibrationError error;
  for (const CalibratedPoint& point : points) {
    if (point.held_out != held_out) continue;
    ++error.points;
    error.mean += std::abs(point.deviation());
    error.worst = std::max(error.worst, std::abs(point.deviation()));
  }
  if (error.points > 0) error.mean /= static_cast<double>(error.points);
  return error;
}

bool Calibration::as_expected() const { return !tolerance || error(true).mean <= *tolerance; }

}  // namespace syncsim
