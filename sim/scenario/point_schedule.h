#pragma once
// The schedule of a point, emitted by its strategy or read from its plan.

#include <string>
#include <vector>

#include "sim/scenario/point.h"
#include "sim/scenario/run.h"
#include "sim/scenario/setting.h"
#include "sim/schedule/strategy.h"

namespace syncsim {

struct PointSchedule {
  Schedule schedule;
  std::vector<NodeId> ranks;  // their nodes; a plan may order them its own way
  Parameters parameters;
  bool proved = false;  // a plan, before it is used
};

// Throws InputError for what the point or its plan asks wrongly, Interrupted when the watch says
// so.
PointSchedule schedule_of(const Point& point, const Setting& setting, const RunSettings& settings);

// Throws InputError where a schedule of that size would pass the limits of the run.
void require_room_for(const ScheduleSize& size, const std::string& strategy,
                      const Topology& machine, const RunSettings& settings);

// Refuses what would pass the limits of the run, at the point's place. Keeps references.
Oversight oversight_of(const Point& point, const Topology& machine, const RunSettings& settings);

// Throws InternalError for a schedule that fails its proof.
void prove(const Schedule& schedule, const std::string& strategy, Watch* watch);

}  // namespace syncsim
