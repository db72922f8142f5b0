#pragma once
// Rings found in a machine. Where the ranks are joined directly (nvlink, xgmi, c2c), the cables
// form a multigraph; find_rings packs edge-disjoint Hamiltonian cycles into it, with
// multiplicities, so that as many cables as possible carry a ring: the DGX-1V mesh gives one ring
// of multiplicity 2 and one of multiplicity 1.
//
// Where all cables are equally fast, a cable is one unit. Otherwise the commonest cable is cut into
// 1 to 16 units, each size is packed, and the rings with the most bandwidth are kept; links thinner
// than a unit carry none. Rings share a link evenly, so one that would not get its multiplicity
// there is listed as that many single rings.
//
// More than 16 ranks, such as a torus: disjoint cycles (cycle_cover.h), or one in the given order.
// Two ranks are one ring.
//
// Where no such cycle exists: on several boxes a ring for each nic of a box (network_rings.h); else
// one ring over routes, of up to 16 ranks in the order of route_ring.h, of more in the given one.
// Searches keep to fixed budgets of steps; the result never depends on time.

#include <span>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

// The nics by which a ring comes to a rank and goes on from it when the network lies between, by
// their numbers in the rank's box (boxes.h). Negative: the route's own.
struct RingNics {
  int in = -1;
  int out = -1;
  friend auto operator<=>(const RingNics&, const RingNics&) = default;
};

struct Ring {
  std::vector<int> order;  // indices into the ranks, starting with 0; order[1] < order.back(),
                           // but where nics make the direction count
  int multiplicity = 1;    // its share of the data is multiplicity / sum of multiplicities
  std::vector<RingNics> nics = {};  // of the ranks in `order`; empty where all are the routes' own
  friend bool operator==(const Ring&, const Ring&) = default;
};

// At least one ring, sorted by multiplicity (largest first), then order. One rank: {{0}, 1}.
std::vector<Ring> find_rings(const Topology& topology, std::span<const NodeId> ranks);

// Each ring followed by its reverse.
std::vector<Ring> both_directions(std::span<const Ring> rings);

}  // namespace syncsim
