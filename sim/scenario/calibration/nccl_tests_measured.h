#pragma once
// Measured tables of what nccl-tests and rccl-tests print or write. Where no line names the test,
// the columns may tell the collective: an operation, a root, and busbw / algbw, which is 2(n-1)/n
// of an allreduce and (n-1)/n of a reduce-scatter (nccl-tests, doc/PERFORMANCE.md).

#include <string>
#include <string_view>

#include "sim/scenario/calibration/measured_table.h"

namespace syncsim {

// Both throw InputError with its place.
MeasuredTable measured_by_nccl_tests(std::string_view text, const std::string& name);
MeasuredTable measured_by_nccl_tests(const JsonReader& json);

}  // namespace syncsim
