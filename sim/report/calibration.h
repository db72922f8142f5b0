#pragma once
// A machine's figures fitted to measured points, and how near they come. deviation = measured /
// simulated - 1; errors are means and the worst of its magnitudes.

#include <optional>
#include <string>
#include <vector>

#include "sim/exec/calibration/fit.h"

namespace syncsim {

struct CalibratedPoint {
  std::string place;      // "runs.json:/points/0", "log.txt:17"
  std::string name = {};  // "ring", "gpu0>gpu1"; what ran
  CollectiveKind collective = CollectiveKind::allreduce;
  int ranks = 0;
  Bytes bytes;
  double measured = 0;  // seconds, the median where it was measured several times
  int times = 1;
  Time simulated = {};
  bool held_out = false;

  double deviation() const { return measured / seconds(simulated) - 1; }
};

struct CalibrationError {
  std::size_t points = 0;
  double mean = 0;
  double worst = 0;
};

struct Calibration {
  Topology machine;  // as fitted
  std::vector<FittedFigure> figures;
  std::vector<CalibratedPoint> points;
  int hold_out = 0;  // every so many-th size; 0: none
  std::vector<std::string> notes = {};
  std::optional<double> tolerance = {};  // of the mean error of what is held out

  CalibrationError error(bool held_out) const;
  bool as_expected() const;  // true where nothing is expected
};

std::string calibration_text(const Calibration& calibration);
// One object, with all points.
std::string calibration_json(const Calibration& calibration);

}  // namespace syncsim
