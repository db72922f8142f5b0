#pragma once
// What every cell holds in the end, with the set of its contributing ranks kept as a number of
// contributions and a 128-bit sum of random keys, one a rank, from a fixed seed: O(steps).
// The number bounds multiplicities by 2^32, so that other ranks or multiplicities give an equal sum
// with a probability below 2^-64, usually 2^-128.
// It only proves. Where it does not, the exact check has to look: for a wrong sum, for a part of a
// sum from a relaxed buffer, and for reduces whose result is never used (a rank counted twice there
// leaves no trace in the end).

#include <cstdint>
#include <vector>

#include "sim/schedule/check_columns.h"

namespace syncsim::checking {

class FingerprintCheck {
 public:
  explicit FingerprintCheck(const ChunkIds& ids);

  bool proves(const Column& column);

 private:
  struct Sum {
    ChunkId origin = kNone;  // kNone: empty
    std::uint32_t contributions = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const Sum&) const = default;
  };

  bool every_reduce_is_used(const Column& column);
  void start(const Column& column);
  bool add(Sum& sum, const Sum& addend) const;
  Sum expected(const Column::Goal& goal) const;

  const ChunkIds& ids_;
  std::vector<Sum> keys_;  // by rank: its contribution alone
  Sum all_;                // the sum of all keys
  std::vector<Sum> sums_;  // by cell
  std::vector<bool> used_;
};

}  // namespace syncsim::checking
