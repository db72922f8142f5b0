#pragma once
// How faults and goodput of training steps are written down.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "sim/report/step_report.h"

namespace syncsim {

// What happened, a line each, of a page's width; "" where nothing was asked.
std::string fault_text(const StepReport& step);

// In microseconds; null for none.
nlohmann::ordered_json time_json(const std::optional<Time>& time);

// null where nothing was asked.
nlohmann::ordered_json fault_json(const StepReport& step);
nlohmann::ordered_json goodput_json(const StepReport& step);

}  // namespace syncsim
