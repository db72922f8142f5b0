#pragma once
// Faults of training steps: the step that is cut short, the steps after the recovery, and the
// goodput of a long run that fails by chance. All steps are simulated.

#include "sim/report/step_report.h"
#include "sim/scenario/point_schedule.h"

namespace syncsim {

// Steps that ran undisturbed.
struct StepRun {
  const Point& asked;  // its strategy may be a choice
  const Point& point;
  const Setting& setting;
  const PointSchedule& scheduled;
  const StepPlan& plan;
  const Timeline& timeline;
  const RunSettings& settings;
};

// Puts into the step what the point asks of faults and failures. Throws InputError at the field's
// place.
void add_faults(StepReport& step, const StepRun& run);

}  // namespace syncsim
