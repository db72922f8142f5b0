#pragma once
// Where rings enter and leave a box when the network lies between: by which nic, through which of
// its ranks. A gpu's near nics are those of the least (class, hops) of routing.h, or the one that
// the policy gives it. Gpus with the same near nics share them out in turn, as rule 5 of routing.h
// does: of k nics the i-th of s such gpus has number i mod k of its own, and of more nics than gpus
// those with numbers i, i + s, ...

#include <span>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

struct NicPort {
  NodeId nic = 0;
  std::vector<NodeId> ranks;  // near it: from the first that has it of its own on and around
};

// For every box, the ports to those of its nodes that are ranks, by nic; nics without a link to the
// network are none. Every box is a list of ranks of one machine, the part of a topology that other
// links than the network's join.
std::vector<std::vector<NicPort>> nic_ports(const Topology& topology,
                                            std::span<const std::vector<NodeId>> boxes);

}  // namespace syncsim
