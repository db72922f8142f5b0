#pragma once
// Allreduce where switches do not add up: of every element, when the first part of a partition of
// the ranks knows the sum, a message has left each other part, and each of them has yet to receive
// one. With P_1 .. P_k disjoint and f(P) the least capacity that leaves P (free nodes on either
// side; or that enters it):
//   T >= 2 (k - 1) M / sum f(P_i)
// For single ranks that is the bound of Patarasuk and Yuan (J. Parallel Distrib. Comput. 69(2),
// 2009). The worst partition is found exactly, by Dilworth truncation: f is submodular, so for a
// given mu the greedy
//   x(v_i) = min over A in {v_1 .. v_i} with v_i in A of  f(A) - mu - x(A without v_i)
// sums up to min over partitions of sum (f(P_i) - mu) (Schrijver, Combinatorial Optimization,
// chapter 48); tight sets that overlap merge to the partition. Newton's method on mu. Every x is
// one max-flow.
//
// Helpers that add up lie in parts as well, or form some; a part of helpers alone counts in the sum
// and not in k. Any placing of them gives a bound; each goes where it adds the least capacity.

#include <cstdint>
#include <vector>

#include "sim/analysis/cut_oracle.h"

namespace syncsim {

struct Partition {
  std::vector<int> part;      // by terminal
  int parts = 0;              // that hold ranks: 0 .. parts - 1; parts of helpers follow
  std::int64_t capacity = 0;  // sum of f over all parts

  // The bound is this times M over the graph's unit.
  double factor() const;
};

// The worst partition; with helpers, the worst of the ranks' with them placed.
Partition worst_partition(const CutGraph& graph, Flow flow);

}  // namespace syncsim
