#include "sim/topology/cycles.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "sim/base/error.h"

namespace syncsim {
namespace {

using Mask = std::uint32_t;  // a set of ranks

Mask bit(int rank) { return Mask{1} << rank; }

class CycleSearch {
 public:
  CycleSearch(const Neighbours& neighbours, std::int64_t steps,
              const std::function<bool(const Cycle&)>& found)
      : neighbours_(neighbours), adjacent_(neighbours.size()), steps_(steps), found_(found) {
    for (std::size_t rank = 0; rank < neighbours.size(); ++rank)
      for (const int other : neighbours[rank]) adjacent_[rank] |= bit(other);
    unvisited_ = (bit(static_cast<int>(neighbours.size())) - 1) & ~bit(0);
  }

  SearchEnd run() {
    extend(0);
    return end_;
  }

 private:
  // Goes on from `rank`, the last of the path; false: the whole search ends.
  bool extend(int rank) {
    if (steps_-- <= 0) return finish(SearchEnd::out_of_steps);
    if (unvisited_ == 0) return close(rank);
    if (is_dead_end(rank)) return true;
    for (const int next : neighbours_[static_cast<std::size_t>(rank)]) {
      if ((unvisited_ & bit(next)) == 0) continue;
      visit(next);
      const bool go_on = extend(next);
      leave(next);
      if (!go_on) return false;
    }
    return true;
  }

  void visit(int rank) {
    path_.push_back(rank);
    unvisited_ &= ~bit(rank);
  }
  void leave(int rank) {
    path_.pop_back();
    unvisited_ |= bit(rank);
  }

  bool close(int rank) {
    const bool closes = (adjacent_[0] & bit(rank)) != 0;
    const bool canonical = path_.at(1) < rank;
    if (!closes || !canonical || found_(path_)) return true;
    return finish(SearchEnd::stopped);
  }

  bool finish(SearchEnd end) {
    end_ = end;
    return false;
  }

  // Each rank still to visit needs a way in and a way out.
  bool is_dead_end(int rank) const {
    const Mask open = unvisited_ | bit(rank) | bit(0);
    for (Mask left = unvisited_; left != 0; left &= left - 1) {
      const Mask ways = adjacent_[static_cast<std::size_t>(std::countr_zero(left))] & open;
      if ((ways & (ways - 1)) == 0) return true;  // at most one: popcount is a call on plain x86-64
    }
    return false;
  }

  const Neighbours& neighbours_;
  std::vector<Mask> adjacent_;
  std::int64_t steps_;
  const std::function<bool(const Cycle&)>& found_;
  Cycle path_ = {0};
  Mask unvisited_ = 0;
  SearchEnd end_ = SearchEnd::exhausted;
};

template <class Function>
void for_each_edge(const Cycle& cycle, const Function& function) {
  for (std::size_t i = 0; i < cycle.size(); ++i)
    function(cycle[i], cycle[i + 1 == cycle.size() ? 0 : i + 1]);
}

}  // namespace

int CableMatrix::most_rings() const {
  int most = std::numeric_limits<int>::max();
  for (int rank = 0; rank < ranks_; ++rank) {
    int units_there = 0;
    for (int other = 0; other < ranks_; ++other) units_there += units(rank, other);
    most = std::min(most, units_there / 2);
  }
  return most;
}

int CableMatrix::slack(const Cycle& cycle) const {
  int least = std::numeric_limits<int>::max();
  for_each_edge(cycle, [&](int a, int b) { least = std::min(least, units(a, b)); });
  return least;
}

void CableMatrix::take(const Cycle& cycle, int taken) {
  for_each_edge(cycle, [&](int a, int b) { set(a, b, units(a, b) - taken); });
}

Neighbours neighbours(const CableMatrix& cables) {
  Neighbours result(static_cast<std::size_t>(cables.ranks()));
  for (int a = 0; a < cables.ranks(); ++a)
    for (int b = 0; b < cables.ranks(); ++b)
      if (cables.units(a, b) > 0) result[static_cast<std::size_t>(a)].push_back(b);
  return result;
}

SearchEnd search_cycles(const Neighbours& neighbours, std::int64_t most_steps,
                        const std::function<bool(const Cycle&)>& found) {
  require(neighbours.size() >= 3 && neighbours.size() <= kMostMatrixRanks,
          "cycles are searched among 3 to 16 ranks");
  return CycleSearch(neighbours, most_steps, found).run();
}

}  // namespace syncsim
