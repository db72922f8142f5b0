#pragma once
// Rule 10 of routing.h: what host bridges make of PCIe peer traffic.

#include <span>

#include "sim/topology/detours.h"
#include "sim/topology/resources.h"
#include "sim/topology/routing.h"
#include "sim/topology/topology.h"

namespace syncsim {

// Charges the legs of one route, each from one waypoint to the next: every PCIe link's share once
// more for each time that its packets cost beyond the first. Where a leg is spread, a link pays the
// dearest of the ways that lead to it or on from it. Bottlenecks are left as they were.
void charge_peer_costs(const Topology& topology, const Resources& resources,
                       std::span<const Waypoint> waypoints, std::span<Route> legs);

}  // namespace syncsim
