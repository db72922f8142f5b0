#pragma once
// How fast the ranks of a training point are, by its fields "speeds", "pauses" and "jitter".

#include "sim/scenario/setting.h"
#include "sim/workload/jitter.h"

namespace syncsim {

// By step and rank; none where all are alike. Throws InputError at the field for ranks and steps
// that are not run, and for compute that takes longer than a Time holds.
Paces paces_of(const Point& point, const Setting& setting);

}  // namespace syncsim
