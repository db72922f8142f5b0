#pragma once
// Is my number normal? Measured tables beside what the library's model (library_model.h) says of
// the same machine, and what may be wrong where they part.

#include <vector>

#include "sim/report/prediction.h"
#include "sim/scenario/predict/measured_series.h"
#include "sim/scenario/run.h"

namespace syncsim {

inline constexpr double kUsualTolerance = 0.3;

// Throws InputError with its place: where no machine is said, the ranks are not as many as the
// table's, or the model does not apply.
PredictedTable predict(const MeasuredSeries& series, double tolerance, const RunSettings& settings);

}  // namespace syncsim
