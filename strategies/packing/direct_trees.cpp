#include "strategies/packing/direct_trees.h"

#include <algorithm>

namespace syncsim::strategy {
namespace {

constexpr double kPairsGoodEnough = 0.985;
constexpr int kMostDirectTrees = 32;
constexpr int kMostTreeEdges = 3000;  // of all trees together
constexpr double kRounding = 1e-9;

using Links = std::vector<RankGraph::Direct>;

// Links around the middle come first, so that trees are low: by the sum of hops to all ranks.
Links from_the_middle(Links links, int ranks) {
  std::vector<std::vector<int>> around(static_cast<std::size_t>(ranks));
  for (const auto& link : links) {
    around[static_cast<std::size_t>(link.edge.a)].push_back(link.edge.b);
    around[static_cast<std::size_t>(link.edge.b)].push_back(link.edge.a);
  }
  std::vector<int> far(static_cast<std::size_t>(ranks), 0);
  for (int start = 0; start < ranks; ++start) {
    std::vector<int> hops(static_cast<std::size_t>(ranks), -1);
    std::vector<int> open{start};
    hops[static_cast<std::size_t>(start)] = 0;
    for (std::size_t next = 0; next < open.size(); ++next)
      for (const int node : around[static_cast<std::size_t>(open[next])]) {
        if (hops[static_cast<std::size_t>(node)] >= 0) continue;
        hops[static_cast<std::size_t>(node)] = hops[static_cast<std::size_t>(open[next])] + 1;
        far[static_cast<std::size_t>(start)] += hops[static_cast<std::size_t>(node)];
        open.push_back(node);
      }
  }
  const auto distance = [&](const RankGraph::Direct& link) {
    return far[static_cast<std::size_t>(link.edge.a)] + far[static_cast<std::size_t>(link.edge.b)];
  };
  std::stable_sort(links.begin(), links.end(),
                   [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return links;
}

std::vector<Edge> copies(const Links& links, double width, int most) {
  std::vector<Edge> edges;
  for (int copy = 1; copy <= most; ++copy)
    for (const auto& link : links)
      if (copy * width <= link.rate * (1 + kRounding)) edges.push_back(link.edge);
  return edges;
}

// Widths at which a link gains or loses an edge, ascending.
std::vector<double> widths(const Links& links, int trees) {
  std::vector<double> result;
  for (const auto& link : links)
    for (int copy = 1; copy <= trees; ++copy) result.push_back(link.rate / copy);
  std::sort(result.begin(), result.end());
  const auto same = [](double a, double b) { return b - a <= a * kRounding; };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

// The widest `count` trees.
std::optional<EdgeTrees> widest(const Links& links, int ranks, int count) {
  const std::vector<double> all = widths(links, count);
  std::optional<EdgeTrees> best;
  std::size_t low = 0;
  std::size_t high = all.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    auto trees = disjoint_trees(ranks, copies(links, all[middle], count), count);
    if (trees) {
      best = EdgeTrees{std::move(*trees), count * all[middle]};
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return best;
}

}  // namespace

std::optional<EdgeTrees> direct_trees(const RankGraph& graph, int most_trees) {
  const int ranks = graph.ranks();
  const Links links = from_the_middle(graph.direct_links(), ranks);
  double sum = 0;
  for (const auto& link : links) sum += link.rate;
  const double most = sum / (ranks - 1);  // every tree takes ranks - 1 edges
  std::optional<EdgeTrees> best;
  for (int count = 1; count <= std::min(kMostDirectTrees, most_trees); ++count) {
    if (count > 1 && count * (ranks - 1) > kMostTreeEdges) break;
    auto found = widest(links, ranks, count);
    if (!found) return std::nullopt;
    if (!best || found->rate * kPairsGoodEnough > best->rate) best = std::move(found);
    if (best->rate >= kPairsGoodEnough * most) break;
  }
  return best;
}

}  // namespace syncsim::strategy
