#pragma once
// Points of `syncsim execute --format json`, with what they say of themselves.

#include "sim/scenario/calibration/measured_points.h"

namespace syncsim {

// `machine` says the machine of all of them, and its edits. Throws InputError at its place for a
// point that is a training step, whose data was wrong, or that was simulated alone.
void read_runs(const JsonReader& json, const Point& machine, MeasuredPoints& read);

}  // namespace syncsim
