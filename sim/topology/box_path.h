#pragma once
// Ways through all ranks of a box, from one to another, for the rings that pass it.
//
// 1. Over direct links where they join the ranks so, up to 15: of the ways found within a fixed
//    number of steps the one whose most loaded link, by the ways over it and its bandwidth, is
//    loaded least; of equal ones the least loaded in all, then the first.
// 2. Else from each rank to the nearest not yet passed, by (class, hops) of the route, then in the
//    order of the ranks from there on and around.

#include <vector>

#include "sim/topology/fabric.h"
#include "sim/topology/routing.h"
#include "sim/topology/topology.h"

namespace syncsim {

class BoxPath {
 public:
  // Keeps references to the router and the ranks.
  BoxPath(const Topology& topology, const LinksOut& links, Router& router,
          const std::vector<NodeId>& ranks);

  // Whether equal direct links join all ranks to each other.
  bool is_even_mesh() const;

  // Indices into the ranks, `from` first and `to` last; they differ. The links passed are loaded.
  std::vector<int> find(int from, int to);

 private:
  using Path = std::vector<int>;
  struct Cable {
    double bandwidth = 0;  // bytes/s; 0: none
    int ways = 0;
  };

  Cable& cable(int from, int to) { return cables_[index(from, to)]; }
  const Cable& cable(int from, int to) const { return cables_[index(from, to)]; }
  std::size_t index(int from, int to) const {
    return static_cast<std::size_t>(from) * ranks_.size() + static_cast<std::size_t>(to);
  }
  Path over_cables(int from, int to) const;
  Path over_routes(int from, int to);

  Router& router_;
  const std::vector<NodeId>& ranks_;
  std::vector<Cable> cables_;
};

}  // namespace syncsim
