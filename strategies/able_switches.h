#pragma once
// The switches between ranks that add up and multiply what passes.

#include <string>
#include <vector>

#include "sim/schedule/strategy.h"
#include "sim/topology/fabric.h"
#include "sim/topology/tree_route.h"

namespace syncsim::strategy {

class AbleSwitches {
 public:
  // Between the ranks of the builder's scope. Keeps references.
  AbleSwitches(const Topology& topology, const ScheduleBuilder& builder);

  // Throws InputError, which names the node that lacks the ability where the tree between a node
  // and all ranks needs it.
  void require_tree(TreeKind kind, const std::string& root);

  // Where a sum for all ranks is formed, and in which proportion: the switches that do both and are
  // the fewest hops from the farthest rank (planes, spines), by what they get from each rank at
  // once. Throws InputError where there is none.
  struct Root {
    std::string node;
    int weight = 0;
  };
  std::vector<Root> roots();

  // Whether the first rank has NVLink (or xGMI) to a switch that reduces.
  bool on_nvlink() const;

 private:
  std::vector<NodeId> lowest() const;
  int farthest(NodeId node) const;
  std::vector<Route> ways_to(NodeId root);

  const Topology& topology_;
  std::vector<NodeId> ranks_;
  LinksOut links_;
  Resources resources_;
  Router router_;
};

}  // namespace syncsim::strategy
