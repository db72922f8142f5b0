#include "sim/analysis/pair_cut_bound.h"

#include <algorithm>
#include <utility>

#include "sim/analysis/bound_words.h"
#include "sim/analysis/cut_oracle.h"
#include "sim/analysis/demand.h"
#include "sim/analysis/node_groups.h"

namespace syncsim {
namespace {

// Moving ranks costs a max-flow a rank and round, least cuts two a rank.
constexpr std::size_t kMostRanksMoved = 32;
constexpr std::size_t kMostRanksParted = 128;

class CutSearch {
 public:
  CutSearch(const BoundQuery& query, const CutGraph& graph)
      : query_(query), oracle_(graph), ranks_(graph.ranks), unit_(graph.unit) {}

  LowerBound run() {
    consider_simple_sets();
    consider_groups();
    if (ranks_ <= kMostRanksParted) consider_least_cuts();
    if (ranks_ <= kMostRanksMoved) move_ranks();
    if (best_ == 0) return {0, "cut", "nothing has to move"};
    return {best_, "cut", words_of(query_, worst_, Flow::leaving)};
  }

 private:
  void consider_simple_sets() {
    for (std::size_t one = 0; one < ranks_; ++one)
      consider(members([&](std::size_t rank) { return rank == one; }));
    for (std::size_t size = 2; size < ranks_; size *= 2)
      consider(members([&](std::size_t rank) { return rank < size; }));
    consider(members([&](std::size_t rank) { return rank < ranks_ / 2; }));
  }

  void consider_groups() {
    for (const NodeGroups& groups : node_groups(query_.topology))
      for (std::uint32_t group = 0; group < groups.count; ++group)
        consider(members([&](std::size_t rank) { return groups.of[query_.ranks[rank]] == group; }));
  }

  void consider_least_cuts() {
    for (std::size_t to = 1; to < ranks_; ++to) {
      consider(oracle_.between(0, to).inside);
      consider(oracle_.between(to, 0).inside);
    }
  }

  void move_ranks() {
    for (double before = -1; before < best_;) {
      before = best_;
      TerminalSet moved = worst_;
      for (std::size_t rank = 0; rank < ranks_; ++rank) {
        moved[rank] = !moved[rank];
        consider(moved);
        moved[rank] = !moved[rank];
      }
    }
  }

  template <class Has>
  TerminalSet members(Has&& has) const {
    TerminalSet inside(oracle_.terminals(), false);
    for (std::size_t rank = 0; rank < ranks_; ++rank) inside[rank] = has(rank);
    return inside;
  }

  void consider(const TerminalSet& inside) {
    std::vector<std::uint32_t> group;
    for (std::size_t rank = 0; rank < ranks_; ++rank) group.push_back(inside[rank] ? 0 : 1);
    const auto outside = static_cast<std::size_t>(std::count(group.begin(), group.end(), 1u));
    if (outside == 0 || outside == ranks_) return;
    const double bytes = demands(query_.collective, group, 2).front().out;
    const double least = bytes / (static_cast<double>(oracle_.of(inside)) * unit_);
    if (bytes == 0 || least <= best_) return;
    best_ = least;
    worst_ = inside;
  }

  const BoundQuery& query_;
  CutOracle oracle_;
  std::size_t ranks_;
  double unit_;
  double best_ = 0;
  TerminalSet worst_;
};

}  // namespace

LowerBound pair_cut_bound(const BoundQuery& query, const CutGraph& graph) {
  return CutSearch(query, graph).run();
}

}  // namespace syncsim
