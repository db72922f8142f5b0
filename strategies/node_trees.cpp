// NCCL's trees (src/graph/trees.cc and connect.cc, 2.4 and later): in each node the ranks form a
// chain, and the first ranks of the nodes' chains two binary trees, each with half of the data, as
// double_binary_tree has them. Every ring of the machine (one for each nic of a node where several
// nodes take part) gives a channel: its order in a node is the chain. Sums go up the chains and the
// trees, results down both, chunk behind chunk: of m nodes with g ranks each (g - 1) + lg m hops
// each way, and no port of a rank carries more than 2 M.

#include <algorithm>
#include <map>

#include "sim/topology/fabric.h"
#include "strategies/double_binary_tree.h"
#include "strategies/ring_orders.h"
#include "strategies/strategies.h"
#include "strategies/trees.h"

namespace syncsim::strategy {
namespace {

using Chains = std::vector<std::vector<int>>;  // ranks, by node, the head first

// The ring's order, node by node, each from where the ring comes to it.
Chains chains_of(const Ring& ring, std::span<const NodeId> ranks,
                 const std::vector<NodeId>& machines) {
  const std::size_t count = ring.order.size();
  const auto rank_at = [&](std::size_t i) { return ring.order[i % count]; };
  const auto machine_at = [&](std::size_t i) {
    return machines[ranks[static_cast<std::size_t>(rank_at(i))]];
  };
  std::size_t start = 0;
  while (start + 1 < count && machine_at(start) == machine_at(start + count - 1)) ++start;
  if (machine_at(start) == machine_at(start + count - 1)) start = 0;  // all in one
  std::map<NodeId, std::size_t> known;
  Chains chains;
  for (std::size_t i = start; i < start + count; ++i) {
    const auto [node, added] = known.try_emplace(machine_at(i), chains.size());
    if (added) chains.emplace_back();
    chains[node->second].push_back(rank_at(i));
  }
  return chains;
}

// A tree over the chains; `node_at[i]` is the node at position i of the binary tree.
Tree tree_over(const Chains& chains, const std::vector<int>& node_at) {
  std::vector<int> rank_at;
  std::vector<int> parent;  // by position
  std::vector<int> head;    // its position, by place in the binary tree
  for (const int node : node_at) {
    head.push_back(static_cast<int>(rank_at.size()));
    for (const int rank : chains[static_cast<std::size_t>(node)]) {
      parent.push_back(static_cast<int>(rank_at.size()) - 1);
      rank_at.push_back(rank);
    }
  }
  const int nodes = static_cast<int>(node_at.size());
  for (int place = 0; place < nodes; ++place)
    parent[static_cast<std::size_t>(head[static_cast<std::size_t>(place)])] =
        head[static_cast<std::size_t>(binary_parent(place, nodes))];
  return make_tree(rank_at, [&](int i) { return parent[static_cast<std::size_t>(i)]; });
}

}  // namespace

void emit_node_trees(const StrategyInput& input, ScheduleBuilder& builder) {
  const std::vector<NodeId> machines = machines_of(input.topology);
  const std::vector<Ring> rings = chosen_rings(input);
  std::vector<int> weights;
  for (const Ring& ring : rings) weights.insert(weights.end(), 2, ring.multiplicity);
  const std::vector<Slice> slices = builder.split(builder.data(), weights);
  std::vector<TreeShare> shares;
  for (const Ring& ring : rings) {
    const Chains chains = chains_of(ring, input.ranks, machines);
    const int nodes = static_cast<int>(chains.size());
    const std::vector<int> first = ranks_from(0, nodes);
    for (const std::vector<int>& node_at : {first, second_order(first, false)}) {
      const Tree tree = tree_over(chains, node_at);
      const int chunks = chunk_count(input, builder, tree);
      shares.push_back({tree, builder.split(slices[shares.size()], chunks)});
    }
  }
  emit_trees(shares, one_at_a_time(input), builder);
}

}  // namespace syncsim::strategy
