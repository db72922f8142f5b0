#include "strategies/packing/tree_packing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/base/error.h"
#include "strategies/index.h"
#include "strategies/packing/direct_trees.h"
#include "strategies/packing/relays.h"

namespace syncsim::strategy {
namespace {

constexpr double kGoodEnough = 0.985;  // of what can be
constexpr double kWorthMore = 1.008;   // what more trees must bring
constexpr int kManyTrees = 24;         // for each root: more gain little where the last few did not
constexpr int kMostWithoutGain = 4;
constexpr double kWorthRelays = 1.03;       // what they must bring
constexpr int kManyTreesOverRelays = 16;    // of less data latency is the greater part
constexpr double kDirectGoodEnough = 0.98;  // they are few, and low
// Hops of all trees together, where a root has more than one.
constexpr std::size_t kMostHops = 66'000;
constexpr std::size_t kMostHopsOfOneRoot = 8'000;

// Numbers of trees for each root.
std::vector<int> counts(const PackingWish& wish, int ranks) {
  if (wish.trees) return {*wish.trees};
  const bool every = wish.roots.size() > 1;
  const std::size_t most = every ? kMostHops : kMostHopsOfOneRoot;
  const std::size_t hops = index(ranks - 1) * std::max<std::size_t>(1, wish.roots.size());
  std::vector<int> result;
  for (const int count : {1, 2, 3, 4, 6, 8, 12, 24, 48, 96})
    if (count == 1 || (index(count) * hops <= most && count <= wish.most_trees))
      result.push_back(count);
  // One for each rank: where ranks are alike, trees are.
  if (wish.roots.empty() && ranks > result.back() && ranks <= wish.most_trees &&
      index(ranks) * hops <= kMostHops)
    result.push_back(ranks);
  return result;
}

// `count` trees for each root; neighbours in the list have different roots.
std::vector<int> roots_of(const PackingWish& wish, int ranks, int count) {
  std::vector<int> roots;
  for (int tree = 0; tree < count; ++tree) {
    if (wish.roots.empty()) roots.push_back(tree % ranks);
    roots.insert(roots.end(), wish.roots.begin(), wish.roots.end());
  }
  return roots;
}

// Every level costs its latency once, which counts as much as a thousandth of the rate.
double worth(const LaidTrees& trees) { return trees.rate() / (1 + trees.height() / 1000.0); }

// The same where every level costs an overhead: in the best number of chunks (overheads.h) data of
// D seconds takes (sqrt(D) + sqrt(levels o))^2.
double worth(const LaidTrees& trees, const PackingWish& wish) {
  if (wish.overhead <= 0) return worth(trees);
  const int levels = trees.height() * (wish.flow == Flow::both ? 2 : 1);
  const double roots = std::sqrt(wish.bytes / worth(trees)) + std::sqrt(levels * wish.overhead);
  return wish.bytes / (roots * roots);
}

// As few trees as come near the most.
LaidTrees fewest(const RankGraph& graph, const PackingWish& wish) {
  LaidTrees best;
  int best_count = 0;
  int without_gain = 0;
  const auto laid = [&](int count, Effort effort) {
    return routed_trees(graph, wish.flow, roots_of(wish, graph.ranks(), count), effort, wish.heed);
  };
  const std::vector<int> all = counts(wish, graph.ranks());
  if (all.size() == 1) return laid(all.front(), Effort::thorough);
  for (const int count : all) {
    LaidTrees found = laid(count, Effort::quick);
    const bool is_enough = worth(found) >= kGoodEnough * found.most_rate;
    const bool gains = best.trees.empty() || worth(found, wish) > kWorthMore * worth(best, wish);
    without_gain = gains ? 0 : without_gain + 1;
    if (gains) {
      best = std::move(found);
      best_count = count;
    }
    if (is_enough && gains) return best;
    if (is_enough || (count >= kManyTrees && without_gain >= kMostWithoutGain)) break;
  }
  return laid(best_count, Effort::thorough);
}

LaidTrees from_edges(const EdgeTrees& direct) {
  LaidTrees result;
  for (const std::vector<Edge>& edges : direct.trees) {
    result.trees.push_back({0, {}, 0, direct.rate / static_cast<double>(direct.trees.size())});
    for (const Edge& edge : edges) result.trees.back().hops.push_back({edge});
  }
  return result;
}

PackedTree hung_at(const LaidTree& laid, int nodes, int root) {
  std::vector<std::vector<Hop>> around(index(nodes));
  for (const auto& [edge, plane] : laid.hops) {
    around[index(edge.a)].push_back({edge, plane});
    around[index(edge.b)].push_back({{edge.b, edge.a}, plane});
  }
  std::vector<int> parents(index(nodes), -1);
  parents[index(root)] = root;
  PackedTree result{{}, std::vector<Plane>(index(nodes), Plane::all)};
  std::vector<int> open{root};
  for (std::size_t next = 0; next < open.size(); ++next)
    for (const auto& [edge, plane] : around[index(open[next])]) {
      if (parents[index(edge.b)] >= 0) continue;
      parents[index(edge.b)] = edge.a;
      result.planes[index(edge.b)] = plane;
      open.push_back(edge.b);
    }
  std::sort(open.begin(), open.end());
  const auto place = [&](int node) {
    return static_cast<int>(std::lower_bound(open.begin(), open.end(), node) - open.begin());
  };
  result.tree = make_tree(open, [&](int at) { return place(parents[index(open[index(at)])]); });
  return result;
}

PackedTree lowest(const LaidTree& laid, const RankGraph& graph) {
  PackedTree best = hung_at(laid, graph.nodes(), 0);
  for (const int root : std::vector<int>(best.tree.top_down)) {
    if (!graph.branches(root)) continue;
    PackedTree tree = hung_at(laid, graph.nodes(), root);
    if (tree.tree.depth() < best.tree.depth()) best = std::move(tree);
  }
  return best;
}

TreePacking hung(const LaidTrees& laid, const RankGraph& graph, const PackingWish& wish) {
  TreePacking packing{{}, graph.turns()};
  for (const LaidTree& tree : laid.trees) {
    packing.trees.push_back(wish.roots.empty() ? lowest(tree, graph)
                                               : hung_at(tree, graph.nodes(), tree.root));
    packing.trees.back().rate = tree.rate;
  }
  return packing;
}

LaidTrees laid_over(const RankGraph& graph, const PackingWish& wish) {
  LaidTrees found = fewest(graph, wish);
  if (!wish.roots.empty() || wish.trees) return found;
  const auto direct = direct_trees(graph, wish.most_trees);
  return direct && direct->rate >= kDirectGoodEnough * found.rate() ? from_edges(*direct) : found;
}

TreePacking packed_over(const std::vector<NodeId>& relays, const Topology& topology,
                        std::span<const NodeId> ranks, const PackingWish& wish) {
  const RankGraph graph(topology, ranks, relays);
  TreePacking packing = hung(fewest(graph, wish), graph, wish);
  packing.relays = relays;
  return packing;
}

}  // namespace

double TreePacking::rate() const {
  return std::accumulate(trees.begin(), trees.end(), 0.0,
                         [](double sum, const PackedTree& tree) { return sum + tree.rate; });
}

std::uint16_t TreePacking::host_channel(std::size_t i) const {
  const std::size_t apart = static_cast<std::size_t>(turns);
  const std::size_t channel = (trees.size() + apart - 1) / apart * apart + i;
  require(channel <= std::numeric_limits<std::uint16_t>::max(), "too many trees for the channels");
  return static_cast<std::uint16_t>(channel);
}

TreePacking pack_trees(const Topology& topology, std::span<const NodeId> ranks,
                       const PackingWish& wish) {
  const std::vector<NodeId> relays = wish.most_trees >= kManyTreesOverRelays
                                         ? relays_beside(topology, ranks)
                                         : std::vector<NodeId>{};
  // Ways through GPUs that are no ranks are none that they could not relay.
  const bool gpus_relay = std::any_of(relays.begin(), relays.end(), [&](NodeId relay) {
    return topology.nodes()[relay].kind == NodeKind::gpu;
  });
  if (gpus_relay) return packed_over(relays, topology, ranks, wish);
  const RankGraph graph(topology, ranks);
  const LaidTrees found = laid_over(graph, wish);
  const double most = most_at_ports(topology, ranks, wish.flow, wish.roots);
  if (relays.empty() || found.rate() * kWorthRelays >= most) return hung(found, graph, wish);
  TreePacking relayed = packed_over(relays, topology, ranks, wish);
  return relayed.rate() > kWorthRelays * found.rate() ? relayed : hung(found, graph, wish);
}

}  // namespace syncsim::strategy
