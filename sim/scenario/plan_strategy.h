#pragma once
// The strategy "plan:FILE": a schedule that is read instead of emitted. It is proved before it
// runs, always. Its ranks run on the point's: by their nodes' names where the point takes all ranks
// of the machine and the plan names the same nodes, else by number. Helpers run on the nodes they
// name.

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/scenario/point.h"
#include "sim/scenario/setting.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

bool is_plan(std::string_view strategy);
std::string plan_path(std::string_view strategy);
std::string plan_strategy(const std::string& path);  // "plan:PATH"

// Throws InputError without a place where a plan names no file.
void require_plan_path(std::string_view strategy);
// As a scenario names it: a plan's path is taken from the directory of the scenario's file.
std::string strategy_reference(const JsonReader& json);

struct PlannedSchedule {
  Schedule schedule;
  std::vector<NodeId> ranks;
};
// Throws InputError that names the plan.
PlannedSchedule planned_schedule(const Point& point, const Setting& setting,
                                 const RunSettings& settings);

}  // namespace syncsim
