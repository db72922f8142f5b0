#pragma once
// The story of a calibration: measured points are read, some held out, each becomes a schedule,
// emitted once on the machine as it is and proved, figures are fitted, and all points are simulated
// on the machine that results.

#include <vector>

#include "sim/report/calibration.h"
#include "sim/scenario/calibration/measured_points.h"
#include "sim/scenario/run.h"

namespace syncsim {

struct CalibrationSettings {
  RunSettings run;
  std::vector<FigureKind> kinds = {};  // to be fitted; empty: all that the points tell
  Grouping grouping = Grouping::kind;
  LineRates lines = LineRates::bound;
  int hold_out = 3;                      // every so many-th size of a series; 0: none
  std::optional<double> tolerance = {};  // of the mean error of what is held out
};

// The machine's source says what was fitted, to what, and how near it came. Throws InputError for
// what files or terms say wrongly, and where nothing can be fitted; Interrupted when the watch says
// so.
Calibration calibrate(const std::vector<MeasuredFile>& files, const TableTerms& terms,
                      const CalibrationSettings& settings);

}  // namespace syncsim
