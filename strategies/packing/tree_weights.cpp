#include "strategies/packing/tree_weights.h"

#include <algorithm>

#include "strategies/packing/steep.h"

namespace syncsim::strategy {
namespace {

constexpr double kMostLoads = 1e7;      // loads that are looked at, in all rounds together
constexpr double kFlattestLoads = 30;   // steepness of prices, in the first round
constexpr double kSteepestLoads = 500;  // and in the last
constexpr double kFirstStep =
    0.1;  // a tree twice as dear as the others loses so much of its weight
constexpr double kLastStep = 0.01;
constexpr double kLeastWeight = 0.2;  // a tree with less is given up

class Balance {
 public:
  Balance(const std::vector<std::vector<TreeLoad>>& loads, const std::vector<int>& groups)
      : loads_(loads),
        groups_(groups),
        group_sizes_(static_cast<std::size_t>(*std::max_element(groups.begin(), groups.end())) + 1),
        weights_(loads.size(), 1) {
    for (const int group : groups) ++group_sizes_[static_cast<std::size_t>(group)];
    for (const auto& of_tree : loads)
      for (const TreeLoad& load : of_tree)
        prices_.resize(std::max<std::size_t>(prices_.size(), load.resource + std::size_t{1}));
  }

  WeighedTrees run(double most_rounds) {
    std::size_t steps = 1;
    for (const auto& of_tree : loads_) steps += of_tree.size();
    const double rounds = std::min(most_rounds, kMostLoads / static_cast<double>(steps));
    WeighedTrees best{weights_, set_prices(kFlattestLoads)};
    for (double round = 0; round < rounds; ++round) {
      const double done = round / rounds;
      shift(kFirstStep + (kLastStep - kFirstStep) * done);
      const double fullest = set_prices(kFlattestLoads + (kSteepestLoads - kFlattestLoads) * done);
      if (fullest < best.fullest) best = {weights_, fullest};
    }
    return best;
  }

 private:
  double& price(const TreeLoad& load) { return prices_[load.resource]; }

  // Returns how full the fullest is.
  double set_prices(double steepness) {
    std::fill(prices_.begin(), prices_.end(), 0);
    for (std::size_t tree = 0; tree < loads_.size(); ++tree)
      for (const TreeLoad& load : loads_[tree]) price(load) += weights_[tree] * load.seconds;
    const double fullest = *std::max_element(prices_.begin(), prices_.end());
    for (double& price : prices_) price = steep(steepness * (price / fullest - 1));
    return fullest;
  }

  void shift(double step) {
    std::vector<double> costs(loads_.size(), 0);
    double sum = 0;
    for (std::size_t tree = 0; tree < loads_.size(); ++tree) {
      for (const TreeLoad& load : loads_[tree]) costs[tree] += price(load) * load.seconds;
      sum += weights_[tree] * costs[tree];
    }
    const double average = sum / static_cast<double>(loads_.size());
    std::vector<double> sums(group_sizes_.size(), 0);
    for (std::size_t tree = 0; tree < loads_.size(); ++tree) {
      weights_[tree] *= steep(-step * (costs[tree] / average - 1));
      if (weights_[tree] < kLeastWeight) weights_[tree] = 0;
      sums[group(tree)] += weights_[tree];
    }
    for (std::size_t tree = 0; tree < loads_.size(); ++tree)
      weights_[tree] *= group_sizes_[group(tree)] / sums[group(tree)];
  }

  std::size_t group(std::size_t tree) const { return static_cast<std::size_t>(groups_[tree]); }

  const std::vector<std::vector<TreeLoad>>& loads_;
  const std::vector<int>& groups_;
  std::vector<double> group_sizes_;
  std::vector<double> weights_;  // by tree
  std::vector<double> prices_;   // by resource
};

}  // namespace

WeighedTrees balanced(const std::vector<std::vector<TreeLoad>>& loads,
                      const std::vector<int>& groups, int rounds) {
  return Balance(loads, groups).run(rounds);
}

}  // namespace syncsim::strategy
