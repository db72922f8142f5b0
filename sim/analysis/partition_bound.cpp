#include "sim/analysis/partition_bound.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace syncsim {
namespace {

// A helper is tried in all parts of so many; of more it stays by itself.
constexpr int kMostPartsTried = 16;

std::vector<int> singletons(std::size_t ranks) {
  std::vector<int> group(ranks);
  std::iota(group.begin(), group.end(), 0);
  return group;
}

// Numbers groups in the order of their first members.
int renumber(std::vector<int>& group) {
  std::vector<int> numbers(group.size(), -1);
  int next = 0;
  for (int& member : group) {
    int& number = numbers[static_cast<std::size_t>(member)];
    if (number < 0) number = next++;
    member = number;
  }
  return next;
}

// Dilworth truncation over the ranks; helpers are free nodes.
class Truncation {
 public:
  Truncation(CutOracle& oracle, std::size_t ranks) : oracle_(oracle), ranks_(ranks) {}

  // The partition whose sum of (scale f(P) - mu) is least, if that is below -mu.
  bool improve(std::int64_t scale, std::int64_t mu, std::vector<int>& group) {
    start(scale);
    std::vector<int> merged = singletons(ranks_);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      oracle_.set_inside(rank);
      const Cut cut = oracle_.least();
      const std::int64_t x = cut.value - positive_ - mu;
      oracle_.set_price(rank, x);
      positive_ += std::max<std::int64_t>(x, 0);
      sum_ += x;
      merge(merged, cut.inside);
    }
    if (sum_ >= -mu) return false;
    group = std::move(merged);
    return true;
  }

 private:
  void start(std::int64_t scale) {
    oracle_.set_scale(scale);
    for (std::size_t terminal = 0; terminal < oracle_.terminals(); ++terminal)
      terminal < ranks_ ? oracle_.set_outside(terminal) : oracle_.set_price(terminal, 0);
    positive_ = 0;
    sum_ = 0;
  }

  void merge(std::vector<int>& group, const TerminalSet& tight) const {
    int target = -1;
    std::vector<bool> joins(ranks_, false);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      if (!tight[rank]) continue;
      joins[static_cast<std::size_t>(group[rank])] = true;
      if (target < 0) target = group[rank];
    }
    for (int& member : group)
      if (joins[static_cast<std::size_t>(member)]) member = target;
  }

  CutOracle& oracle_;
  std::size_t ranks_;
  std::int64_t positive_ = 0;  // sum of the positive x
  std::int64_t sum_ = 0;       // of all x
};

// Adds helpers to a grouping of the ranks, each where the parts' capacities then add up to least.
class Placing {
 public:
  Placing(CutOracle& oracle, std::vector<int> group) : oracle_(oracle) {
    result_.parts = renumber(group);
    result_.part = std::move(group);
    result_.part.resize(oracle.terminals(), -1);
    all_parts_ = result_.parts;
  }

  Partition without_helpers() && {
    result_.capacity = sum();
    return std::move(result_);
  }

  Partition with_helpers(std::size_t ranks) && {
    for (std::size_t helper = ranks; helper < oracle_.terminals(); ++helper) {
      result_.part[helper] = result_.parts <= kMostPartsTried ? best_part(helper) : all_parts_;
      all_parts_ = std::max(all_parts_, result_.part[helper] + 1);
    }
    result_.capacity = sum();
    return std::move(result_);
  }

 private:
  int best_part(std::size_t helper) {
    int best = all_parts_;  // by itself, of equal ones
    std::int64_t least = 0;
    for (int part = all_parts_; part >= 0; --part) {
      result_.part[helper] = part;
      const std::int64_t with = sum();
      if (part < all_parts_ && with >= least) continue;
      least = with;
      best = part;
    }
    return best;
  }

  std::int64_t sum() {
    std::int64_t total = 0;
    for (int part = 0; part <= all_parts_; ++part) total += capacity(part);
    return total;
  }

  // Terminals without a part lie where it is cheapest.
  std::int64_t capacity(int wanted) {
    oracle_.set_scale(1);
    for (std::size_t terminal = 0; terminal < oracle_.terminals(); ++terminal) {
      const int part = result_.part[terminal];
      if (part < 0) {
        oracle_.set_price(terminal, 0);
      } else if (part == wanted) {
        oracle_.set_inside(terminal);
      } else {
        oracle_.set_outside(terminal);
      }
    }
    return oracle_.least().value;
  }

  CutOracle& oracle_;
  Partition result_;
  int all_parts_ = 0;  // those of helpers alone too
};

}  // namespace

double Partition::factor() const { return 2.0 * (parts - 1) / static_cast<double>(capacity); }

Partition worst_partition(const CutGraph& graph, Flow flow) {
  CutOracle oracle(graph, flow);
  Truncation truncation(oracle, graph.ranks);
  std::vector<int> group = singletons(graph.ranks);
  while (true) {
    const Partition worst = Placing(oracle, group).without_helpers();
    if (!truncation.improve(worst.parts - 1, worst.capacity, group)) break;
  }
  return Placing(oracle, std::move(group)).with_helpers(graph.ranks);
}

}  // namespace syncsim
