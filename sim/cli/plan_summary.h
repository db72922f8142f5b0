#pragma once
// What a plan is, in a line or as JSON keys: collective, ranks, bytes (of a plan that says them),
// ops, chunks of the data, steps (the longest chain of transfers).

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/schedule/schedule.h"

namespace syncsim::cli {

struct PlanName {
  std::string path;
  std::string_view format;  // "json" or "xml"

  bool says_bytes() const { return format == "json"; }
};

nlohmann::ordered_json plan_json(const PlanName& name, const Schedule& schedule);
std::string plan_text(const PlanName& name, const Schedule& schedule);

}  // namespace syncsim::cli
