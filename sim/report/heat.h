#pragma once
// A run's utilization as a drawing of its machine wants it.

#include "sim/report/report.h"
#include "sim/topology/graphviz.h"

namespace syncsim {

// `machine` is the one that the report is of.
Heat heat_of(const Report& report, const Topology& machine);

}  // namespace syncsim
