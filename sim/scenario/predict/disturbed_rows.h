#pragma once
// Rows that other sizes of the same table show to be disturbed: each takes longer than the model
// says, beyond the tolerance, and
//   1. a larger size takes less by far, or
//   2. the sizes next to it are nearer to the model by far,
// that is by more than 1.3 times. No machine does that: something else took part of their time.

#include <vector>

#include "sim/report/prediction.h"

namespace syncsim {

void mark_disturbed(std::vector<PredictedRow>& rows);

}  // namespace syncsim
