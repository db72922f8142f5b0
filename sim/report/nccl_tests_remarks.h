#pragma once
// The lines around the rows of nccl-tests: devices, options, versions, results.

#include <string_view>

#include "sim/report/nccl_tests_table.h"

namespace syncsim {

// A line that begins with '#', and is no head of columns.
void take_remark(std::string_view line, NcclTestsTable& table);
// Of any line: "NCCL version 2.18.3+cuda12.2", "nccl-library=22703".
void take_version(std::string_view line, NcclTestsTable& table);

}  // namespace syncsim
