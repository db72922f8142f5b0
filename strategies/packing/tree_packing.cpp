#include "strategies/packing/tree_packing.h"

#include <algorithm>

#include "strategies/packing/routed_trees.h"

namespace syncsim::strategy {
namespace {

SpanningTree hung_at(const std::vector<Edge>& edges, int ranks, int root) {
  std::vector<std::vector<int>> around(static_cast<std::size_t>(ranks));
  for (const Edge& edge : edges) {
    around[static_cast<std::size_t>(edge.a)].push_back(edge.b);
    around[static_cast<std::size_t>(edge.b)].push_back(edge.a);
  }
  SpanningTree tree{root, std::vector<int>(static_cast<std::size_t>(ranks), -1), {root}};
  std::vector<int> depth(static_cast<std::size_t>(ranks), 0);
  for (std::size_t next = 0; next < tree.top_down.size(); ++next) {
    const int node = tree.top_down[next];
    for (const int child : around[static_cast<std::size_t>(node)]) {
      if (child == tree.parent[static_cast<std::size_t>(node)]) continue;
      tree.parent[static_cast<std::size_t>(child)] = node;
      depth[static_cast<std::size_t>(child)] = depth[static_cast<std::size_t>(node)] + 1;
      tree.height = std::max(tree.height, depth[static_cast<std::size_t>(child)]);
      tree.top_down.push_back(child);
    }
  }
  return tree;
}

SpanningTree lowest(const std::vector<Edge>& edges, int ranks) {
  SpanningTree best = hung_at(edges, ranks, 0);
  for (int root = 1; root < ranks; ++root) {
    SpanningTree tree = hung_at(edges, ranks, root);
    if (tree.height < best.height) best = std::move(tree);
  }
  return best;
}

// Whether the trees leave the host's links alone.
bool is_off_host(RankGraph& graph, const EdgeTrees& trees) {
  for (std::size_t tree = 0; tree < trees.trees.size(); ++tree)
    for (const Edge& edge : trees.trees[tree])
      if (graph.route(edge.a, edge.b, static_cast<int>(tree)).route_class > 0) return false;
  return true;
}

// All trees of one plane are equally wide. Channels are numbered through.
void hang(const EdgeTrees& found, int ranks, int root, Plane plane, TreePacking& packing) {
  for (const auto& edges : found.trees) {
    packing.trees.push_back(root < 0 ? lowest(edges, ranks) : hung_at(edges, ranks, root));
    packing.trees.back().rate = found.rate / static_cast<double>(found.trees.size());
    packing.trees.back().plane = plane;
  }
}

// The host's links by themselves; none where relays or staging decide over routes.
std::optional<EdgeTrees> host_trees(const Topology& topology, std::span<const NodeId> ranks) {
  if (topology.routing() != RoutingPolicy{}) return std::nullopt;
  RankGraph host(topology, ranks, Plane::host);
  if (!host.is_connected()) return std::nullopt;
  return routed_trees(host);
}

}  // namespace

double TreePacking::rate() const {
  double sum = 0;
  for (const SpanningTree& tree : trees) sum += tree.rate;
  return sum;
}

TreePacking pack_trees(const Topology& topology, std::span<const NodeId> ranks, int root) {
  RankGraph graph(topology, ranks);
  const int count = graph.ranks();
  TreePacking packing;
  if (count == 1) {
    packing.trees.push_back(hung_at({}, 1, 0));
    return packing;
  }
  const std::optional<EdgeTrees> host = host_trees(topology, ranks);
  const auto with_host = [&](const EdgeTrees& trees) {
    return trees.rate + (host && is_off_host(graph, trees) ? host->rate : 0);
  };
  EdgeTrees found = routed_trees(graph);
  if (auto direct = direct_trees(graph); direct && with_host(*direct) >= with_host(found))
    found = std::move(*direct);
  hang(found, count, root, Plane::all, packing);
  if (host && is_off_host(graph, found)) hang(*host, count, root, Plane::host, packing);
  return packing;
}

}  // namespace syncsim::strategy
