#pragma once
// A machine's resources on their way into the engine and back: same order, same indices.

#include <vector>

#include "sim/engine/outcome.h"
#include "sim/schedule/timeline.h"
#include "sim/topology/resources.h"

namespace syncsim {

std::vector<double> capacities_of(const Resources& resources);

std::vector<ResourceTotals> resource_totals(const engine::Totals& totals,
                                            const Resources& resources);

}  // namespace syncsim
