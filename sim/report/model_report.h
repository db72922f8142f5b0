#pragma once
// What there is to say of a model without running anything: its source, sizes and times.

#include <string>

#include "sim/workload/model.h"

namespace syncsim {

// For people: sums, where they come from, the largest tensors.
std::string model_report_text(const Model& model);
// One JSON object with all layers; times in microseconds, sizes in bytes.
std::string model_report_json(const Model& model);

}  // namespace syncsim
