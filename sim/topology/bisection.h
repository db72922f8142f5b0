#pragma once
// What joins the halves of a machine: the most bytes per second that one half of its ranks can send
// to the other, all at once, whichever way (maximum flow, in whole bytes per second, or a 5e17th of
// all links' sum where that is more).
//
// 1. Links count with their capacity in the direction of the flow, nodes with their transit; what
//    does not forward, such as most GPUs, passes nothing on. How routes spread, PCIe's cost of peer
//    traffic and staging are not in it: a collective may get less.
// 2. Up to 16 ranks the least of all halves, and of equal ones the first half of the ranks if it is
//    among them. Beyond, or with so many links that all halves would take long, from the first half
//    of the ranks to the other.
// 3. Halves of an odd number of ranks differ by one; the smaller one sends.
// 4. Once over the links that join gpus to each other (nvlink, xgmi, c2c), where that is not
//    nothing, and once over all links, where there are others.

#include <string>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

struct Bisection {
  std::string over;             // "nvlink", "nvlink and c2c", "all links"
  double rate = 0;              // bytes per second
  std::vector<NodeId> senders;  // in the order of the ranks
  std::vector<NodeId> receivers;
  bool is_least = false;  // of all halves
};

// Nothing for a single rank.
std::vector<Bisection> bisections(const Topology& topology, Rates rates);

}  // namespace syncsim
