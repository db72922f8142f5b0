#pragma once
// A machine's resources on their way into the engine and back: same order, same indices.

#include <span>
#include <vector>

#include "sim/engine/capacity_changes.h"
#include "sim/engine/outcome.h"
#include "sim/schedule/timeline.h"
#include "sim/topology/link_events.h"
#include "sim/topology/resources.h"

namespace syncsim {

std::vector<double> capacities_of(const Resources& resources);

// Of links' changes, which ascend by time and link.
std::vector<engine::CapacityChange> capacity_changes(std::span<const LinkChange> changes,
                                                     const Resources& resources, Rates rates);

// From `begin` to `end` capacities are averaged.
std::vector<ResourceTotals> resource_totals(const engine::Totals& totals,
                                            const Resources& resources,
                                            std::span<const engine::CapacityChange> changes,
                                            Time begin, Time end);

}  // namespace syncsim
