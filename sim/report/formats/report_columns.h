#pragma once
// The columns that a report has in CSV: one table for all that write reports as rows (run, compare,
// sweep). A column is named as the key of the JSON report.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/report.h"

namespace syncsim::csv {

// Of training steps; both tables of points and sweeps end with them.
inline constexpr std::string_view kStepColumns[] = {
    "step_us",     "compute_us",         "communication_us", "exposed_us",
    "overlap",     "scaling_efficiency", "replicas",         "step_deviation_us",
    "step_low_us", "step_high_us",       "step_least_us",    "step_most_us",
    "lost_us",     "step_after_us",      "goodput"};

// Null where the report has no such value. Lists are texts. Throws InternalError for a name that no
// column has.
nlohmann::ordered_json value_of(const Report& report, std::string_view column);

// A value as a whole field: lists joined by "; ", objects of texts as "chunks=8 root=auto", null
// empty; control characters of texts escaped, so that a row stays on one line.
std::string field_of(const nlohmann::ordered_json& value);

// A field each column.
std::vector<std::string> fields_of(const Report& report, std::span<const std::string_view> columns);

}  // namespace syncsim::csv
