#pragma once
// What one rank sends another passes, and what it can carry: the routes of a machine at line rate.

#include <memory>
#include <span>
#include <vector>

#include "sim/topology/routing.h"
#include "strategies/packing/forests.h"

namespace syncsim::strategy {

class RankGraph {
 public:
  RankGraph(const Topology& topology, std::span<const NodeId> ranks, Plane plane = Plane::all);

  bool is_connected();

  int ranks() const { return static_cast<int>(ranks_.size()); }
  const Route& route(int from, int to, int channel);
  double capacity(ResourceId resource) const { return resources_.all()[resource].capacity; }
  std::size_t resources() const { return resources_.all().size(); }

  // Pairs of ranks with a link of their own between them, and its rate in the slower direction.
  struct Direct {
    Edge edge;
    double rate = 0;
  };
  std::vector<Direct> direct_links();

 private:
  std::vector<NodeId> ranks_;
  Resources resources_;
  Router router_;
  std::vector<std::vector<const Route*>> routes_;  // by channel, then from and to
};

}  // namespace syncsim::strategy
