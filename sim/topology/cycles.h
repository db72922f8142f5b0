#pragma once
// Hamiltonian cycles in a small multigraph of cables. A cycle is written canonically: it starts
// with rank 0 and goes the way round whose second rank is smaller than its last.

#include <cstdint>
#include <functional>
#include <vector>

namespace syncsim {

inline constexpr int kMostMatrixRanks = 16;

using Cycle = std::vector<int>;

// Cables between each pair of ranks, in whole units; symmetric.
class CableMatrix {
 public:
  explicit CableMatrix(int ranks)
      : ranks_(ranks), units_(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks)) {}

  int ranks() const { return ranks_; }
  int units(int a, int b) const { return units_[index(a, b)]; }
  void set(int a, int b, int units) { units_[index(a, b)] = units_[index(b, a)] = units; }
  // The most rings that could go round it, whatever its shape: half the thinnest rank's units.
  int most_rings() const;
  // The fewest units on the way round, and taking (or, negative, giving back) units all round.
  int slack(const Cycle& cycle) const;
  void take(const Cycle& cycle, int units);

 private:
  std::size_t index(int a, int b) const {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(ranks_) +
           static_cast<std::size_t>(b);
  }

  int ranks_;
  std::vector<int> units_;
};

// The order in which a search tries each rank's neighbours.
using Neighbours = std::vector<std::vector<int>>;
Neighbours neighbours(const CableMatrix& cables);  // ascending

enum class SearchEnd { exhausted, stopped, out_of_steps };
// Calls `found` with each cycle, in the order of `neighbours`, until it returns false or the steps
// are spent. At most kMostMatrixRanks ranks, at least three.
SearchEnd search_cycles(const Neighbours& neighbours, std::int64_t most_steps,
                        const std::function<bool(const Cycle&)>& found);

}  // namespace syncsim
