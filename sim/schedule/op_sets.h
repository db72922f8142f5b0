#pragma once
// Sets of ops that only grow by one op at a time, shared between the chunks that have the same
// history: an OpSet is a number, one op is stored in the number itself, and larger sets are linked
// lists in one array. So an op costs no allocation, and equal numbers mean equal sets.

#include <cstdint>
#include <vector>

#include "sim/schedule/schedule.h"

namespace syncsim {

using OpSet = std::uint32_t;
inline constexpr OpSet kNoOps = 0xffffffffu;
inline constexpr OpSet kNeverASet = 0xfffffffeu;  // for callers to mark things with

class OpSets {
 public:
  // What waiting for a set has cost so far, kept for sets of two ops and more.
  struct Fan {
    std::uint32_t ops = 0;
    std::uint32_t uses = 0;
    OpId join = kNone;
  };

  static bool is_single(OpSet set) { return set < kFirstList; }
  // `set` with `op` added, which it does not hold.
  OpSet with(OpSet set, OpId op);
  // Of a set of two or more.
  Fan& fan(OpSet set) { return nodes_[set - kFirstList].fan; }
  void append_to(std::vector<OpId>& list, OpSet set) const;

 private:
  static constexpr OpSet kFirstList = 0x80000000u;
  struct Node {
    OpId op;
    OpSet rest;
    Fan fan;
  };
  std::vector<Node> nodes_;
};

}  // namespace syncsim
