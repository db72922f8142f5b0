#pragma once
// Rings as NCCL lays them on boxes, which it joins in order: rule 4 of nccl_graph.h.

#include <span>
#include <vector>

#include "sim/topology/boxes.h"
#include "sim/topology/embedding.h"
#include "sim/topology/topology.h"

namespace syncsim {

// The boxes of the ranks: rank r is the (r mod size)th of box r / size.
struct RankBoxes {
  int size = 0;  // ranks of a box
  int count = 0;
  std::vector<Place> places;  // by node of the machine
};
// Throws InputError for ranks that fill no boxes, or not all alike.
RankBoxes rank_boxes(const Topology& topology, std::span<const NodeId> ranks);

// A ring with the order that begins with its first rank in the first box.
struct NcclChannel {
  const Ring* ring = nullptr;
  std::vector<int> order = {};

  // By what nics it comes to a rank and goes on; none where the ring names none.
  RingNics nics(int rank) const;
  // How it passes a box: the numbers of the box's ranks.
  std::vector<int> passage(int box, const RankBoxes& boxes) const;
};
// Throws InputError unless the ring passes one box after the other.
NcclChannel nccl_channel(const Ring& ring, const RankBoxes& boxes);

// Whether odd boxes are passed as the channel beside passes even ones, which is crossnic 2. Throws
// InputError where they are not, and boxes are not all passed alike either.
bool are_crossed(std::span<const NcclChannel> channels, const RankBoxes& boxes);

}  // namespace syncsim
