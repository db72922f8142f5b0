#pragma once
// A node as NCCL's search sees it: its ranks, the ends by which it reaches the network, and what
// capacity is left while channels are laid.

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sim/topology/fabric.h"
#include "sim/topology/routing.h"

namespace syncsim {

class NcclNode {
 public:
  // Where a node meets the network: a nic, or a rank that has such a link itself.
  struct End {
    NodeId node = 0;
    double rate = 0;  // GB/s, each way
  };

  // Of the first rank. Keeps a reference to the topology. Throws InputError, without a place, where
  // several nodes have neither nics nor gpus on the network.
  NcclNode(const Topology& topology, std::span<const NodeId> ranks);

  const std::vector<NodeId>& ranks() const { return ranks_; }
  const std::vector<End>& ends() const { return ends_; }
  int nodes() const { return nodes_; }
  bool holds(NodeId node) const { return island_[node] == island_[ranks_.front()]; }
  const Route& route(NodeId from, NodeId to) { return router_.route(from, to); }
  // Whether NVLink (xGMI, C2C) leads from rank to rank through all of them.
  bool joined_by_nvlink();
  // Whether no host bridge stands between an end and the rank nearest to it.
  bool ends_are_near();
  double rate(NodeId from, NodeId to);  // GB/s of one flow alone; infinity to itself

  // GB/s that a rank sends within its node over NVLink and xGMI; where it has none, to another
  // rank.
  double gpu_rate(NodeId rank);
  // GB/s that leave the node by ends that are nearest to one of its ranks.
  double network_rate();

  // Channels that find a way at this speed, at most `most`.
  int lay_rings(double speed, int most);
  // GB/s a pair when every rank of the node sends to every other at once; infinity for one.
  double all_pairs_rate();

 private:
  struct Left {
    std::vector<double> resources;  // GB/s, by resource
    std::vector<double> in, out;    // by end
  };
  struct Walk;

  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();

  Left whole() const;
  bool take(Left& left, const Route& route, double speed) const;
  void give(Left& left, const Route& route, double speed) const;
  bool lay(Left& left, std::size_t channel, double speed);
  bool lay_from(Left& left, std::size_t start, double speed);
  bool walk_on(Walk& walk, std::size_t at, std::size_t placed);
  bool leave(Walk& walk, std::size_t at);
  std::vector<std::size_t> nearest(NodeId from, std::span<const NodeId> candidates);
  std::vector<NodeId> end_nodes() const;

  const Topology& topology_;
  Resources resources_;
  LinksOut links_;
  Router router_;
  std::vector<NodeId> island_;      // by node
  std::vector<NodeId> ranks_;       // of this node
  std::vector<End> ends_;           // empty in a single node
  std::vector<double> capacities_;  // GB/s, by resource
  int nodes_ = 1;
  std::vector<std::vector<std::size_t>> order_;       // by rank: the others, nearest first
  std::vector<std::vector<std::size_t>> ends_near_;   // by rank
  std::vector<std::vector<std::size_t>> ranks_near_;  // by end
};

}  // namespace syncsim
