#pragma once
// The schedule of a point, emitted by its strategy.

#include <string>
#include <vector>

#include "sim/scenario/point.h"
#include "sim/scenario/run.h"
#include "sim/scenario/setting.h"
#include "sim/schedule/strategy.h"

namespace syncsim {

struct PointSchedule {
  Schedule schedule;
  std::vector<NodeId> ranks;  // their nodes
  Parameters parameters;
};

// Throws InputError for what the point asks wrongly, Interrupted when the watch says so.
PointSchedule schedule_of(const Point& point, const Setting& setting, const RunSettings& settings);

// Throws InternalError for a schedule that fails its proof.
void prove(const Schedule& schedule, const std::string& strategy, Watch* watch);

}  // namespace syncsim
