#pragma once
// Is my number normal? Measured tables beside what the library's model (library_model.h) says of
// the same machine, and what may be wrong where they part.

#include <vector>

#include "sim/base/side_by_side.h"
#include "sim/report/prediction.h"
#include "sim/scenario/predict/measured_series.h"
#include "sim/scenario/run.h"

namespace syncsim {

inline constexpr double kUsualTolerance = 0.3;

// Throws InputError with its place: where no machine is said, the ranks are not as many as the
// table's, or the model does not apply. Any thread may call the settings' watch; the result does
// not depend on how the runs are done side by side.
PredictedTable predict(const MeasuredSeries& series, double tolerance, const RunSettings& settings,
                       const SideBySide& side_by_side = one_by_one);

}  // namespace syncsim
