#pragma once
// What ranks can send each other, as arcs, and which resources each arc takes: the routes of a
// machine at line rate. Nodes are the ranks, and behind them relays, which may take part: GPUs may
// branch, as ranks do, other nodes hand on to one only. An arc
// has up to two ways, over all links or over the host's alone (Plane::host, where NVLink is left
// to others). No way passes another of the ranks, or a GPU that is a relay, unless the way back
// does not: that one had better take the data and hand it on. What has no way is no arc.
// Where routes depend on the channel they are known for 16 channels at most, and taken to repeat.
// Of more than 64 nodes only those of one box are joined and those with the same number in other
// boxes (rails); of more than 256 those that have a link of their own or near numbers (some steps,
// or some machines of 8, away); what joins these may pass others.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/topology/routing.h"
#include "strategies/packing/forests.h"

namespace syncsim::strategy {

inline constexpr std::array kPlanes = {Plane::all, Plane::host};

class RankGraph {
 public:
  // Throws InputError where they do not reach each other.
  RankGraph(const Topology& topology, std::span<const NodeId> ranks,
            std::span<const NodeId> relays = {});

  using ArcId = std::uint32_t;
  struct Arc {
    int from = 0;
    int to = 0;
    ArcId back = 0;  // the arc from `to` to `from`
  };
  int ranks() const { return ranks_; }
  bool branches(int node) const { return branches_[static_cast<std::size_t>(node)]; }
  int nodes() const { return static_cast<int>(first_.size()) - 1; }
  const std::vector<Arc>& arcs() const { return arcs_; }  // by the node that they leave
  std::span<const Arc> arcs_from(int node) const;
  ArcId first_arc(int node) const { return first_[static_cast<std::size_t>(node)]; }

  // Channels this far apart take the same routes.
  int turns() const { return turns_; }
  // Empty: there is no such way.
  std::span<const ResourceUse> uses(ArcId arc, Plane plane, int turn) const {
    const Piece& piece = pieces_[(static_cast<std::size_t>(turn) * arcs_.size() + arc) * 2 +
                                 static_cast<std::size_t>(plane)];
    return std::span(uses_).subspan(piece.begin, piece.count);
  }

  double capacity(ResourceId resource) const { return capacities_[resource]; }
  std::size_t resources() const { return capacities_.size(); }

  // Pairs of ranks with a link of their own between them, and its rate in the slower direction.
  struct Direct {
    Edge edge;
    double rate = 0;
  };
  const std::vector<Direct>& direct_links() const { return direct_; }

 private:
  struct Piece {  // of uses_
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };
  class Survey;

  int ranks_;
  std::vector<bool> branches_;  // by node
  int turns_ = 1;
  std::vector<Arc> arcs_;
  std::vector<ArcId> first_;   // by node, and one more
  std::vector<Piece> pieces_;  // by turn, arc and plane
  std::vector<ResourceUse> uses_;
  std::vector<double> capacities_;
  std::vector<Direct> direct_;
};

}  // namespace syncsim::strategy
