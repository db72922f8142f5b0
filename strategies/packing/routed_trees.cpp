#include "strategies/packing/routed_trees.h"

#include <algorithm>
#include <numeric>

#include "sim/base/error.h"
#include "strategies/index.h"
#include "strategies/packing/hop_choice.h"
#include "strategies/packing/rooted_tree.h"
#include "strategies/packing/tree_growth.h"
#include "strategies/packing/tree_weights.h"

namespace syncsim::strategy {
namespace {

constexpr double kRoutedGoodEnough = 0.995;  // of the bound: what follows is not worth its time
constexpr double kMostRounds = 24;
constexpr double kMostPricedHops = 3e8;  // hops that are priced, in all rounds together
constexpr double kFlattestHops = 4;      // steepness of prices, in the first round
constexpr double kSteepestHops = 120;    // and in the last
constexpr int kQuickBalance = 300;       // rounds
constexpr int kThoroughBalance = 2000;
constexpr double kNearlyEnough = 0.985;  // then trees are made lower, and not weighed
constexpr int kLowerings = 3;
constexpr int kRoundsABound = 4;
constexpr double kAboveRounding = 1 + 1e-9;

using ArcId = RankGraph::ArcId;

class Layout {
 public:
  Layout(const RankGraph& graph, Flow flow, const std::vector<int>& roots,
         const std::function<void()>& heed)
      : graph_(graph), flow_(flow), heed_(heed), prices_(graph, flow), levels_(graph) {
    for (const int root : roots)
      trees_.push_back({root, std::vector<Branch>(index(graph.nodes()))});
  }

  LaidTrees run(Effort effort) {
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
      if (heed_) heed_();
      prices_.set(kFlattestHops);
      grow(trees_[tree], turn(tree), graph_, prices_);
    }
    std::vector<RootedTree> best = trees_;
    double least = prices_.fullest();
    std::int64_t lowest = levels();
    const double steps = static_cast<double>(trees_.size() * graph_.arcs().size());
    const int rounds = static_cast<int>(std::min(kMostRounds, kMostPricedHops / steps));
    for (int round = 0; round < rounds && least * kRoutedGoodEnough > bound_; ++round) {
      improve(round,
              kFlattestHops + (kSteepestHops - kFlattestHops) * round / std::max(1, rounds - 1));
      const double fullest = prices_.fullest();
      if (fullest > least * kAboveRounding) continue;
      const std::int64_t sum = levels();
      if (fullest * kAboveRounding > least && sum >= lowest) continue;
      least = fullest;
      lowest = sum;
      best = trees_;
    }
    put_back(best);
    if (least * kNearlyEnough > bound_) return weighed(least, effort);
    for (int pass = 0; pass < kLowerings; ++pass)
      for (std::size_t tree = 0; tree < trees_.size(); ++tree)
        hang_anew(tree, pass, Low{prices_, least * kAboveRounding});
    return as_edges(least);
  }

 private:
  int turn(std::size_t tree) const {
    return static_cast<int>(tree % static_cast<std::size_t>(graph_.turns()));
  }
  const RankGraph::Arc& arc(ArcId id) const { return graph_.arcs()[id]; }

  void improve(int round, double steepness) {
    prices_.set(steepness);
    if (round % kRoundsABound == 0) bound_ = std::max(bound_, bound());
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
      if (heed_) heed_();
      if (round % 2 == 1) {
        hang_anew(tree, round, Cheap{prices_});
        continue;
      }
      load_all(tree, -1);
      if (flow_ == Flow::both)
        trees_[tree].root = (static_cast<int>(tree) + round) % graph_.ranks();
      grow(trees_[tree], turn(tree), graph_, prices_);
    }
  }

  void put_back(const std::vector<RootedTree>& trees) {
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) load_all(tree, -1);
    trees_ = trees;
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) load_all(tree, 1);
  }

  void load(std::size_t tree, int node, double times) {
    prices_.load(trees_[tree].branches[index(node)], turn(tree), times);
  }
  void load_all(std::size_t tree, double times) {
    for (int node = 0; node < graph_.nodes(); ++node)
      if (trees_[tree].hangs(node)) load(tree, node, times);
  }

  // Every node below the one to which its hop is the best, in an order that changes.
  template <class Price>
  void hang_anew(std::size_t number, int round, Price&& price) {
    RootedTree& tree = trees_[number];
    constexpr int kStride = 7;
    const int start = static_cast<int>(number) + round * kStride;
    for (int i = 0; i < graph_.nodes(); ++i) {
      const int node = (start + i) % graph_.nodes();
      if (!tree.hangs(node)) continue;
      load(number, node, -1);
      levels_.look_at(tree, node);
      Branch best;
      const ArcId first = graph_.first_arc(node);
      const std::size_t arcs = graph_.arcs_from(node).size();
      for (ArcId out = first; out < first + arcs; ++out)
        if (const int parent = arc(out).to;
            may_hang_below(parent, node, tree) && levels_.of(parent) != Levels::kBelow)
          keep_better(best, arc(out).back, turn(number), levels_.of(parent), price);
      require(best.price < kInfinity, "a node has no way back to where it was");
      tree.branches[index(node)] = best;
      load(number, node, 1);
    }
    drop_idle_relays(number);
  }

  bool may_hang_below(int parent, int node, const RootedTree& tree) const {
    return tree.holds(parent) && (graph_.branches(parent) || parent == tree.parent(graph_, node));
  }

  // Those that hand nothing on.
  void drop_idle_relays(std::size_t number) {
    RootedTree& tree = trees_[number];
    for (bool dropped = graph_.nodes() > graph_.ranks(); dropped;) {
      std::vector<bool> hands_on(tree.branches.size(), false);
      for (int node = 0; node < graph_.nodes(); ++node)
        if (tree.hangs(node)) hands_on[index(tree.parent(graph_, node))] = true;
      dropped = false;
      for (int relay = graph_.ranks(); relay < graph_.nodes(); ++relay)
        if (tree.hangs(relay) && !hands_on[index(relay)]) {
          load(number, relay, -1);
          tree.branches[index(relay)] = Branch{};
          dropped = true;
        }
    }
  }

  int height(const RootedTree& tree) {
    int most = 0;
    levels_.look_at(tree);
    for (int rank = 0; rank < graph_.ranks(); ++rank) most = std::max(most, levels_.of(rank));
    return most;
  }

  // Of all ranks in all trees.
  std::int64_t levels() {
    std::int64_t sum = 0;
    for (const RootedTree& tree : trees_) {
      levels_.look_at(tree);
      for (int rank = 0; rank < graph_.ranks(); ++rank) sum += levels_.of(rank);
    }
    return sum;
  }

  // Seconds: what all trees cost at least at the prices as they are, over what all capacity does.
  double bound() const {
    double sum = 0;
    for (int turn = 0; turn < graph_.turns(); ++turn) {
      std::vector<Branch> best(index(graph_.nodes()));
      for (ArcId id = 0; id < graph_.arcs().size(); ++id)
        keep_better(best[index(arc(id).to)], id, turn, 0, Cheap{prices_});
      std::vector<double> into;
      for (int rank = 0; rank < graph_.ranks(); ++rank) into.push_back(best[index(rank)].price);
      const double all = std::accumulate(into.begin(), into.end(), 0.0);
      const double dearest = *std::max_element(into.begin(), into.end());
      for (std::size_t tree = static_cast<std::size_t>(turn); tree < trees_.size();
           tree += static_cast<std::size_t>(graph_.turns()))
        sum += all - (flow_ == Flow::both ? dearest : into[index(trees_[tree].root)]);
    }
    return sum / prices_.of_all_capacity();
  }

  LaidTrees as_edges(double fullest) {
    LaidTrees laid;
    laid.most_rate = static_cast<double>(trees_.size()) / bound_;
    for (const RootedTree& tree : trees_)
      laid.trees.push_back({tree.root, hops(tree), height(tree), 1 / fullest});
    return laid;
  }

  LaidTrees weighed(double fullest, Effort effort) {
    LaidTrees laid = as_edges(fullest);
    if (trees_.size() == 1) return laid;
    const int rounds = effort == Effort::quick ? kQuickBalance : kThoroughBalance;
    const WeighedTrees result = balanced(loads(), groups(), rounds);
    for (std::size_t i = 0; i < trees_.size(); ++i)
      laid.trees[i].rate = result.weights[i] / result.fullest;
    return laid;
  }

  std::vector<int> groups() const {
    std::vector<int> result(trees_.size(), 0);
    for (std::size_t tree = 0; flow_ != Flow::both && tree < trees_.size(); ++tree)
      result[tree] = trees_[tree].root;
    return result;
  }

  std::vector<std::vector<TreeLoad>> loads() const {
    std::vector<std::vector<TreeLoad>> result(trees_.size());
    std::vector<double> of_tree(graph_.resources(), 0);
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
      std::fill(of_tree.begin(), of_tree.end(), 0);
      for (int node = 0; node < graph_.nodes(); ++node)
        if (trees_[tree].hangs(node))
          prices_.each_load(trees_[tree].branches[index(node)], turn(tree),
                            [&](ResourceId id, double seconds) { of_tree[id] += seconds; });
      for (ResourceId id = 0; id < of_tree.size(); ++id)
        if (of_tree[id] > 0) result[tree].push_back({id, of_tree[id]});
    }
    return result;
  }

  std::vector<Hop> hops(const RootedTree& tree) const {
    std::vector<Hop> result;
    for (int node = 0; node < graph_.nodes(); ++node)
      if (tree.hangs(node))
        result.push_back({{tree.parent(graph_, node), node}, tree.branches[index(node)].plane});
    return result;
  }

  const RankGraph& graph_;
  Flow flow_;
  const std::function<void()>& heed_;
  Prices prices_;
  std::vector<RootedTree> trees_;
  double bound_ = 0;
  Levels levels_;
};

}  // namespace

double LaidTrees::rate() const {
  return std::accumulate(trees.begin(), trees.end(), 0.0,
                         [](double sum, const LaidTree& tree) { return sum + tree.rate; });
}

int LaidTrees::height() const {
  int most = 0;
  for (const LaidTree& tree : trees) most = std::max(most, tree.height);
  return most;
}

LaidTrees routed_trees(const RankGraph& graph, Flow flow, const std::vector<int>& roots,
                       Effort effort, const std::function<void()>& heed) {
  return Layout(graph, flow, roots, heed).run(effort);
}

}  // namespace syncsim::strategy
