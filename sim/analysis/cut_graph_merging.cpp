#include "sim/analysis/cut_graph_merging.h"

#include <algorithm>
#include <set>
#include <utility>

namespace syncsim {
namespace {

using Row = std::map<std::uint32_t, double>;

class Merging {
 public:
  explicit Merging(LooseGraph graph)
      : terminals_(static_cast<std::uint32_t>(graph.terminals.size())),
        out_(std::move(graph.rates)),
        in_(out_.size()) {
    for (std::uint32_t from = 0; from < out_.size(); ++from)
      for (const auto& [to, rate] : out_[from]) in_[to][from] = rate;
  }

  std::vector<Row> run() {
    while (bypass_thin() || merge_twins()) {
    }
    return compacted();
  }

 private:
  std::set<std::uint32_t> neighbours(std::uint32_t node) const {
    std::set<std::uint32_t> result;
    for (const auto& [to, rate] : out_[node]) result.insert(to);
    for (const auto& [from, rate] : in_[node]) result.insert(from);
    return result;
  }

  void remove(std::uint32_t node) {
    for (const auto& [to, rate] : out_[node]) in_[to].erase(node);
    for (const auto& [from, rate] : in_[node]) out_[from].erase(node);
    out_[node].clear();
    in_[node].clear();
  }

  void add(std::uint32_t from, std::uint32_t to, double rate) {
    if (rate > 0) in_[to][from] = (out_[from][to] += rate);
  }

  double rate(std::uint32_t from, std::uint32_t to) const {
    const auto found = out_[from].find(to);
    return found == out_[from].end() ? 0 : found->second;
  }

  bool bypass_thin() {
    bool changed = false;
    for (std::uint32_t node = terminals_; node < out_.size(); ++node) {
      const std::set<std::uint32_t> around = neighbours(node);
      if (around.empty() || around.size() > 2) continue;
      const std::uint32_t a = *around.begin();
      const std::uint32_t b = *around.rbegin();
      const double there = std::min(rate(a, node), rate(node, b));
      const double back = std::min(rate(b, node), rate(node, a));
      remove(node);
      if (a != b) add(a, b, there);
      if (a != b) add(b, a, back);
      changed = true;
    }
    return changed;
  }

  bool merge_twins() {
    std::map<std::pair<Row, Row>, std::uint32_t> first;
    bool changed = false;
    for (std::uint32_t node = terminals_; node < out_.size(); ++node) {
      if (out_[node].empty() && in_[node].empty()) continue;
      const auto [twin, is_new] = first.insert({{out_[node], in_[node]}, node});
      if (is_new) continue;
      for (const auto& [to, figure] : twin->first.first) add(twin->second, to, figure);
      for (const auto& [from, figure] : twin->first.second) add(from, twin->second, figure);
      remove(node);
      changed = true;
    }
    return changed;
  }

  std::vector<Row> compacted() const {
    std::vector<std::uint32_t> numbers(out_.size(), kNoCutNode);
    std::uint32_t next = 0;
    for (std::uint32_t node = 0; node < out_.size(); ++node)
      if (node < terminals_ || !out_[node].empty() || !in_[node].empty()) numbers[node] = next++;
    std::vector<Row> rows(next);
    for (std::uint32_t node = 0; node < out_.size(); ++node)
      for (const auto& [to, figure] : out_[node]) rows[numbers[node]][numbers[to]] = figure;
    return rows;
  }

  std::uint32_t terminals_;
  std::vector<Row> out_;
  std::vector<Row> in_;
};

}  // namespace

LooseGraph merged(LooseGraph graph) {
  LooseGraph result{graph.terminals, graph.ranks, {}};
  result.rates = Merging(std::move(graph)).run();
  return result;
}

}  // namespace syncsim
