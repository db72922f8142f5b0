#pragma once
// Nodes beside the ranks that trees may lead over: GPUs that are no ranks, where they forward
// anyway, and CPUs. A GPU does what ranks do; a CPU only hands on to one node what comes from
// another: it takes the data into its memory, so that the data need not pay what packets from
// device to device pay at its host bridge, and may go on over any link. Not where that would take
// more than links (transit_bandwidth, reduce_bandwidth): trees count these alone.

#include <span>
#include <vector>

#include "strategies/packing/prices.h"

namespace syncsim::strategy {

// In the order of the machine. None where there are too many to try.
std::vector<NodeId> relays_beside(const Topology& topology, std::span<const NodeId> ranks);

// Bytes per second: what the links at the ranks let trees carry together, if no relay branches.
// A tree passes them n - 1 times each way, a root's (none: any) not inwards or not outwards.
double most_at_ports(const Topology& topology, std::span<const NodeId> ranks, Flow flow,
                     std::span<const int> roots);

}  // namespace syncsim::strategy
