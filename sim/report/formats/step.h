#pragma once
// How training steps are written down.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sim/report/report.h"

namespace syncsim {

// What else a step is compared with.
struct StepLimits {
  std::optional<Time> infinite_network;  // a step where nothing takes time on its way
  std::optional<Time> no_overlap;        // one that sends after backward
};

// Of a report with a step. Text of a page's width; JSON with stable keys.
std::string step_text(const Report& report, const StepLimits& limits = {});
nlohmann::ordered_json step_json(const Report& report, const StepLimits& limits = {});
// Its part of both.
std::string path_text(const StepPath& path);
nlohmann::ordered_json path_json(const StepPath& path);

}  // namespace syncsim
