#include "strategies/packing/routed_trees.h"

#include <algorithm>
#include <numeric>

#include "sim/base/error.h"
#include "strategies/packing/rooted_tree.h"
#include "strategies/packing/tree_weights.h"

namespace syncsim::strategy {
namespace {

constexpr double kGoodEnough = 0.995;  // of the bound: what follows is not worth its time
constexpr double kMostRounds = 24;
constexpr double kMostSteps = 3e8;  // hops that are priced, in all rounds together
constexpr double kFlattest = 4;     // steepness of prices, in the first round
constexpr double kSteepest = 120;   // and in the last
constexpr int kQuickBalance = 300;  // rounds
constexpr int kThoroughBalance = 2000;
constexpr double kNearlyEnough = 0.985;  // then trees are made lower, and not weighed
constexpr int kLowerings = 3;
constexpr int kRoundsABound = 4;
constexpr double kRounding = 1 + 1e-9;
constexpr double kDepthCost = 0.1;  // what a level adds to the price of a hop, of that price

using ArcId = RankGraph::ArcId;

std::size_t index(int number) { return static_cast<std::size_t>(number); }

// What counts of a hop that begins at a level: its price, the more the farther down.
struct Cheap {
  const Prices& prices;
  double operator()(const Branch& branch, int turn, int level) const {
    return prices.of(branch, turn) * (1 + kDepthCost * level);
  }
};

// Its level alone, if it makes nothing fuller than `most`.
struct Low {
  const Prices& prices;
  double most;
  double operator()(const Branch& branch, int turn, int level) const {
    return prices.fits(branch, turn, most) ? level : kInfinity;
  }
};

class Layout {
 public:
  Layout(const RankGraph& graph, Flow flow, const std::vector<int>& roots)
      : graph_(graph), flow_(flow), prices_(graph, flow), levels_(graph) {
    for (const int root : roots)
      trees_.push_back({root, std::vector<Branch>(index(graph.ranks()))});
  }

  LaidTrees run(Effort effort) {
    for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
      prices_.set(kFlattest);
      lay(tree);
    }
    std::vector<RootedTree> best = trees_;
    double least = prices_.fullest();
    std::int64_t lowest = levels();
    const double steps = static_cast<double>(trees_.size() * graph_.arcs().size());
    const int rounds = static_cast<int>(std::min(kMostRounds, kMostSteps / steps));
    for (int round = 0; round < rounds && least * kGoodEnough > bound_; ++round) {
      improve(round, kFlattest + (kSteepest - kFlattest) * round / std::max(1, rounds - 1));
      const double fullest = prices_.fullest();
      if (fullest > least * kRounding) continue;
      const std::int64_t sum = levels();
      if (fullest * kRounding > least && sum >= lowest) continue;
      least = fullest;
      lowest = sum;
      best = trees_;
    }
    put_back(best);
    if (least * kNearlyEnough > bound_) return weighed(least, effort);
    for (int pass = 0; pass < kLowerings; ++pass)
      for (std::size_t tree = 0; tree < trees_.size(); ++tree)
        hang_anew(tree, pass, Low{prices_, least * kRounding});
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
      if (round % 2 == 1) {
        hang_anew(tree, round, Cheap{prices_});
        continue;
      }
      for (int rank = 0; rank < graph_.ranks(); ++rank) load(tree, rank, -1);
      if (flow_ == Flow::both)
        trees_[tree].root = (static_cast<int>(tree) + round) % graph_.ranks();
      lay(tree);
    }
  }

  void put_back(const std::vector<RootedTree>& trees) {
    for (std::size_t tree = 0; tree < trees_.size(); ++tree)
      for (int rank = 0; rank < graph_.ranks(); ++rank) load(tree, rank, -1);
    trees_ = trees;
    for (std::size_t tree = 0; tree < trees_.size(); ++tree)
      for (int rank = 0; rank < graph_.ranks(); ++rank) load(tree, rank, 1);
  }

  void load(std::size_t tree, int rank, double times) {
    if (rank != trees_[tree].root)
      prices_.load(trees_[tree].branches[index(rank)], turn(tree), times);
  }

  // Of the planes' ways too the better one is kept.
  template <class Price>
  static void keep_better(Branch& best, ArcId arc, int turn, int level, Price&& price) {
    for (const Plane plane : kPlanes) {
      Branch branch{arc, plane};
      branch.price = price(branch, turn, level);
      if (branch.price < best.price) best = branch;
    }
  }

  // Prim's way: the cheapest hop out of what is joined.
  void lay(std::size_t number) {
    RootedTree& tree = trees_[number];
    std::vector<Branch> open(index(graph_.ranks()));
    std::vector<bool> inside(open.size(), false);
    std::vector<int> level(open.size(), 0);
    int next = tree.root;
    for (int laid = 1; laid < graph_.ranks(); ++laid) {
      inside[index(next)] = true;
      const ArcId first = graph_.first_arc(next);
      const std::size_t arcs = graph_.arcs_from(next).size();
      for (ArcId id = first; id < first + arcs; ++id)
        if (!inside[index(arc(id).to)])
          keep_better(open[index(arc(id).to)], id, turn(number), level[index(next)],
                      Cheap{prices_});
      next = cheapest_outside(open, inside);
      tree.branches[index(next)] = open[index(next)];
      level[index(next)] = level[index(tree.parent(graph_, next))] + 1;
      load(number, next, 1);
    }
  }

  static int cheapest_outside(const std::vector<Branch>& open, const std::vector<bool>& inside) {
    int best = -1;
    for (std::size_t rank = 0; rank < open.size(); ++rank)
      if (!inside[rank] && open[rank].price < kInfinity &&
          (best < 0 || open[rank].price < open[index(best)].price))
        best = static_cast<int>(rank);
    require(best >= 0, "ranks that no way joins");
    return best;
  }

  // Every rank below the one to which its hop is the best, in an order that changes.
  template <class Price>
  void hang_anew(std::size_t number, int round, Price&& price) {
    RootedTree& tree = trees_[number];
    constexpr int kStride = 7;
    const int start = static_cast<int>(number) + round * kStride;
    for (int i = 0; i < graph_.ranks(); ++i) {
      const int rank = (start + i) % graph_.ranks();
      if (rank == tree.root) continue;
      load(number, rank, -1);
      levels_.look_at(tree, rank);
      Branch best;
      const ArcId first = graph_.first_arc(rank);
      const std::size_t arcs = graph_.arcs_from(rank).size();
      for (ArcId out = first; out < first + arcs; ++out)
        if (const int level = levels_.of(arc(out).to); level != Levels::kBelow)
          keep_better(best, arc(out).back, turn(number), level, price);
      require(best.price < kInfinity, "a rank has no way back to where it was");
      tree.branches[index(rank)] = best;
      load(number, rank, 1);
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
      std::vector<Branch> best(index(graph_.ranks()));
      for (ArcId id = 0; id < graph_.arcs().size(); ++id)
        keep_better(best[index(arc(id).to)], id, turn, 0, Cheap{prices_});
      std::vector<double> into;
      for (const Branch& branch : best) into.push_back(branch.price);
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
      for (int rank = 0; rank < graph_.ranks(); ++rank)
        if (rank != trees_[tree].root)
          prices_.each_load(trees_[tree].branches[index(rank)], turn(tree),
                            [&](ResourceId id, double seconds) { of_tree[id] += seconds; });
      for (ResourceId id = 0; id < of_tree.size(); ++id)
        if (of_tree[id] > 0) result[tree].push_back({id, of_tree[id]});
    }
    return result;
  }

  std::vector<Hop> hops(const RootedTree& tree) const {
    std::vector<Hop> result;
    for (int rank = 0; rank < graph_.ranks(); ++rank)
      if (rank != tree.root)
        result.push_back({{tree.parent(graph_, rank), rank}, tree.branches[index(rank)].plane});
    return result;
  }

  const RankGraph& graph_;
  Flow flow_;
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
                       Effort effort) {
  return Layout(graph, flow, roots).run(effort);
}

}  // namespace syncsim::strategy
