#pragma once
// What faults of training steps cannot be simulated with, and which recoveries mend which losses.

#include "sim/scenario/point.h"
#include "sim/scenario/setting.h"

namespace syncsim {

// What a fault, without one a failure by chance, takes away.
Fault::Kind kind_lost(const FaultField& faults);

// Throws InputError at the place of the field that does not go with a fault, or with failures.
void require_steps_alike(const Point& point);

// Throws InputError at the place of "recovery" where it does not mend such a loss.
void require_recovery(const Point& point, const Setting& setting);

}  // namespace syncsim
