#pragma once
// Rings through several boxes, which the network joins: one for each nic of a box, so that all
// nics are busy, as NCCL lays them. Boxes are what other links than the network's join; they come
// in the order of their first ranks.
//
// Ring c enters a box by its c-th port (nic_ports.h) and leaves it by the same nic, through another
// rank near that nic. In a box where some nic has no other, it leaves by the port beside (c xor 1;
// of an odd number of rings the one before); and every other such box it passes as the ring beside
// passes the others, or backwards: so it comes to a box by a nic with the number of the one by
// which it left the last (after an odd number of boxes, once by another). That is what NCCL calls
// crossnic 0 and 2. Inside it goes as box_path.h says. There are as many rings as every box has
// ports, at most 64. Nics are named where some box has several.
//
// Where all boxes are even meshes (equal direct links between all of their ranks, a nic for each),
// rings beside each other begin at opposite ranks, and the ways inside share all links evenly.

#include <span>
#include <vector>

#include "sim/topology/embedding.h"

namespace syncsim {

// Beginning with rank 0, each in the direction in which it is to run. None when the ranks are in
// one box, or in a box without nics.
std::vector<Ring> rings_by_nics(const Topology& topology, std::span<const NodeId> ranks);

}  // namespace syncsim
