#include "sim/analysis/spread_bound.h"

#include <numeric>

namespace syncsim {
namespace {

class Search {
 public:
  Search(const CutGraph& graph, Flow flow, const std::vector<std::int64_t>& weights)
      : oracle_(graph, flow),
        weights_(weights),
        total_(std::accumulate(weights.begin(), weights.end(), std::int64_t{0})) {}

  // The worst set without the sink becomes `worst` if it is worse.
  void improve(WorstCut& worst, std::size_t sink) {
    while (true) {
      oracle_.set_scale(worst.weight);
      for (std::size_t terminal = 0; terminal < oracle_.terminals(); ++terminal)
        oracle_.set_price(terminal, worst.capacity * weight(terminal));
      oracle_.set_outside(sink);
      const Cut cut = oracle_.least();
      const std::int64_t lost = worst.capacity * weight(sink);
      if (cut.value + lost >= worst.capacity * total_) return;
      worst = measured(cut.inside);
    }
  }

  // The set's weight over its capacity. The set lies where its capacity is least.
  WorstCut measured(const TerminalSet& inside) {
    WorstCut cut{inside, 0, 0};
    for (std::size_t terminal = 0; terminal < inside.size(); ++terminal)
      if (inside[terminal]) cut.weight += weight(terminal);
    cut.capacity = oracle_.of(inside);
    return cut;
  }

 private:
  std::int64_t weight(std::size_t terminal) const {
    return terminal < weights_.size() ? weights_[terminal] : 0;
  }

  CutOracle oracle_;
  const std::vector<std::int64_t>& weights_;
  std::int64_t total_;
};

}  // namespace

WorstCut worst_cut(const CutGraph& graph, Flow flow, const std::vector<std::int64_t>& weights,
                   const std::vector<std::size_t>& sinks) {
  Search search(graph, flow, weights);
  WorstCut worst{TerminalSet(graph.terminals.size(), false), 0, 1};
  for (std::size_t rank = 0; rank < weights.size(); ++rank) {
    if (weights[rank] == 0 || sinks == std::vector{rank}) continue;
    TerminalSet alone(graph.terminals.size(), false);
    alone[rank] = true;
    worst = search.measured(alone);
    break;
  }
  if (worst.weight == 0) return worst;
  for (const std::size_t sink : sinks) search.improve(worst, sink);
  return worst;
}

}  // namespace syncsim
