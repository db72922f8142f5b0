#pragma once
// Published tables against predictors.

#include <span>
#include <string>
#include <vector>

#include "sim/report/validation_report.h"
#include "sim/scenario/predictor.h"
#include "sim/scenario/published_table.h"

namespace syncsim {

// Throws InputError with the place of the table that does not fit, or that no predictor takes.
ValidationReport validate_tables(std::span<const PublishedTable> tables,
                                 std::span<const Predictor* const> chosen,
                                 const RunSettings& settings);

}  // namespace syncsim
