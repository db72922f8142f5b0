#pragma once
// Rings found in a machine. Where the ranks are joined directly (nvlink, xgmi, c2c), the cables
// form a multigraph; find_rings packs edge-disjoint Hamiltonian cycles into it, with
// multiplicities, so that as many cables as possible carry a ring: the DGX-1V mesh gives one ring
// of multiplicity 2 and one of multiplicity 1. A cable is one unit of the machine's smallest
// direct-link line rate. Where no such cycle exists, one ring over routes: the given order when the
// ranks' direct links or a switch carry it, otherwise nearest neighbour first by (class, hops,
// index). Exact up to 16 ranks within a fixed budget of search steps; the result never depends on
// time.

#include <span>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

struct Ring {
  std::vector<int> order;  // indices into the ranks, starting with 0; order[1] < order.back()
  int multiplicity = 1;    // its share of the data is multiplicity / sum of multiplicities
  friend bool operator==(const Ring&, const Ring&) = default;
};

// At least one ring, sorted by multiplicity (largest first), then order. One rank: {{0}, 1}.
std::vector<Ring> find_rings(const Topology& topology, std::span<const NodeId> ranks);

}  // namespace syncsim
