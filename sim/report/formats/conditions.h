#pragma once
// The conditions of a run, a line each, as they stand above tables: "edit: remove node:nic0". What
// is as usual has no line.

#include <string>
#include <vector>

#include "sim/report/report.h"

namespace syncsim {

std::vector<std::string> conditions(const RunFacts& facts);

}  // namespace syncsim
