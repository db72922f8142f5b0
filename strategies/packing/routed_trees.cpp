#include "strategies/packing/routed_trees.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace syncsim::strategy {
namespace {

constexpr double kGoodEnough = 0.985;
constexpr int kRounds = 60;
constexpr double kFlattest = 4;       // steepness of prices, in the first round
constexpr double kSteepest = 120;     // and in the last
constexpr int kMostTreeEdges = 6000;  // of all trees together

// Trees that are laid, and what they load.
class Layout {
 public:
  Layout(RankGraph& graph, int count)
      : graph_(graph),
        trees_(static_cast<std::size_t>(count)),
        loads_(graph.resources(), 0),
        prices_(graph.resources(), 0) {}

  EdgeTrees run() {
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) lay(tree);
    EdgeTrees best{trees_, rate()};
    for (int round = 0; round < kRounds; ++round) {
      steepness_ = kFlattest + (kSteepest - kFlattest) * round / (kRounds - 1);
      for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
        load(tree, -1);
        lay(tree);
      }
      if (rate() > best.rate) best = {trees_, rate()};
    }
    return best;
  }

 private:
  static std::size_t index(int number) { return static_cast<std::size_t>(number); }

  // Seconds that the fullest resource takes for a byte of every tree, inverted.
  double rate() const { return static_cast<double>(trees_.size()) / fullest(); }

  double fullest() const {
    double most = 0;
    for (ResourceId id = 0; id < loads_.size(); ++id)
      most = std::max(most, loads_[id] / graph_.capacity(id));
    return most;
  }

  template <class See>
  void each_use(int a, int b, std::size_t tree, See&& see) {
    for (const ResourceUse& use : graph_.route(a, b, static_cast<int>(tree)).uses) see(use);
    for (const ResourceUse& use : graph_.route(b, a, static_cast<int>(tree)).uses) see(use);
  }

  void load(std::size_t tree, double times) {
    for (const Edge& edge : trees_[tree])
      each_use(edge.a, edge.b, tree,
               [&](const ResourceUse& use) { loads_[use.resource] += times * use.coefficient; });
  }

  void set_prices() {
    const double most = fullest();
    for (ResourceId id = 0; id < loads_.size(); ++id) {
      const double full = most > 0 ? loads_[id] / graph_.capacity(id) / most : 0;
      prices_[id] = std::exp(steepness_ * full) / graph_.capacity(id);
    }
  }

  double price(int a, int b, std::size_t tree) {
    double sum = 0;
    each_use(a, b, tree,
             [&](const ResourceUse& use) { sum += use.coefficient * prices_[use.resource]; });
    return sum;
  }

  // The cheapest spanning tree by Prim's algorithm, from a rank of its own.
  void lay(std::size_t tree) {
    set_prices();
    const int ranks = graph_.ranks();
    int next = static_cast<int>(tree) % ranks;
    std::vector<double> cost(index(ranks), std::numeric_limits<double>::infinity());
    std::vector<int> from(index(ranks), next);
    std::vector<bool> inside(index(ranks), false);
    trees_[tree].clear();
    for (int laid = 1; laid < ranks; ++laid) {
      inside[index(next)] = true;
      for (int rank = 0; rank < ranks; ++rank) {
        if (inside[index(rank)]) continue;
        const double now = price(next, rank, tree);
        if (now >= cost[index(rank)]) continue;
        cost[index(rank)] = now;
        from[index(rank)] = next;
      }
      next = cheapest_outside(cost, inside);
      trees_[tree].push_back({from[index(next)], next});
    }
    load(tree, 1);
  }

  static int cheapest_outside(const std::vector<double>& cost, const std::vector<bool>& inside) {
    int best = -1;
    for (std::size_t rank = 0; rank < cost.size(); ++rank)
      if (!inside[rank] && (best < 0 || cost[rank] < cost[index(best)]))
        best = static_cast<int>(rank);
    return best;
  }

  RankGraph& graph_;
  std::vector<std::vector<Edge>> trees_;
  std::vector<double> loads_;   // bytes of a byte of every tree, by resource
  std::vector<double> prices_;  // by resource
  double steepness_ = kFlattest;
};

}  // namespace

EdgeTrees routed_trees(RankGraph& graph) {
  const int ranks = graph.ranks();
  const std::set<int> counts = {1,         2,        4, 8, 16, ranks / 2, ranks, 3 * ranks / 2,
                                2 * ranks, 4 * ranks};
  EdgeTrees best;
  int without_gain = 0;
  for (const int count : counts) {
    if (count < 1 || (count > 1 && count * (ranks - 1) > kMostTreeEdges)) continue;
    EdgeTrees found = Layout(graph, count).run();
    const bool gains = found.rate * kGoodEnough > best.rate;
    without_gain = gains ? 0 : without_gain + 1;
    if (gains) best = std::move(found);
    if (count > ranks && without_gain > 1) break;
  }
  return best;
}

}  // namespace syncsim::strategy
