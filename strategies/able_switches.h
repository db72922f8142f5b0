#pragma once
// The switches between ranks that add up and multiply what passes.

#include <string>
#include <vector>

#include "sim/schedule/strategy.h"
#include "sim/topology/tree_route.h"
#include "strategies/line_routes.h"

namespace syncsim::strategy {

class AbleSwitches {
 public:
  // Between the ranks of the input. Keeps references. What it finds is kept in the findings.
  explicit AbleSwitches(const StrategyInput& input)
      : input_(input), topology_(input.topology), routes_(line_routes(input)) {}

  // Throws InputError, which names the node that lacks the ability where the tree between a node
  // and all ranks needs it.
  void require_tree(TreeKind kind, const std::string& root) const;

  // Where a sum for all ranks is formed, and in which proportion: the switches that do both and are
  // the fewest hops from the farthest rank (planes, spines), by what they get from each rank at
  // once. Throws InputError where there is none.
  struct Root {
    std::string node;
    int weight = 0;
  };
  const std::vector<Root>& roots() const;

  // Whether the first rank has NVLink (or xGMI) to a switch that reduces.
  bool on_nvlink() const;

 private:
  std::vector<NodeId> lowest() const;
  int farthest(NodeId node) const;
  std::vector<Root> found_roots() const;
  std::vector<Route> ways_to(NodeId root) const;

  const StrategyInput& input_;
  const Topology& topology_;
  LineRoutes& routes_;
};

}  // namespace syncsim::strategy
