#pragma once
// Sets of ops that only grow by one op at a time, shared between the chunks that have the same
// history: an OpSet is a number, one op is stored in the number itself, and larger sets are lists
// of blocks in one array. So an op costs no allocation, and equal numbers mean equal sets.
//
// A number of a larger set names a block and a place in it: the set holds the block's ops up to
// that place and those of the set before the block. Growing the newest set of a block fills its
// next place; growing an older one begins a block of its own.

#include <array>
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
    OpSet set;
    std::uint32_t ops;
    std::uint32_t uses;
    OpId join;
    std::uint32_t next;  // fan of another set of the block
  };

  static constexpr OpSet kFirstList = 0x80000000u;  // the ops of sets are numbered below it
  static bool is_single(OpSet set) { return set < kFirstList; }
  // `set` with `op` added, which it does not hold.
  OpSet with(OpSet set, OpId op) { return set == kNoOps ? op : grown(set, op); }
  class Grower;
  // Of a set of two or more.
  Fan& fan(OpSet set);
  // In the order in which they were added; of a set of one or more.
  void append_to(std::vector<OpId>& list, OpSet set) const {
    if (is_single(set)) return list.push_back(set);
    append_many_to(list, set);
  }
  // Forgets all sets of two or more.
  void clear();

 private:
  static constexpr std::uint32_t kPlaces = 6;
  static constexpr std::uint32_t kPlacesNumbered = 8;  // a power of two, and some numbers left over
  struct Block {
    std::array<OpId, kPlaces> ops;  // kNone: free
    OpSet before;
    std::uint32_t fans;  // kNone: none of its sets has one
  };
  static_assert(sizeof(Block) == 32);

  static std::uint32_t block(OpSet set) { return (set - kFirstList) / kPlacesNumbered; }
  static std::uint32_t place(OpSet set) { return set % kPlacesNumbered; }
  OpSet grown(OpSet set, OpId op);
  void append_many_to(std::vector<OpId>& list, OpSet set) const;
  OpSet begin_block(OpSet before, OpId op);
  std::uint32_t size(OpSet set) const;

  std::vector<Block> blocks_;
  std::vector<Fan> fans_;
};

// Adds one op to sets. Neighbouring chunks mostly have the same history: their sets grow to the
// same new set.
class OpSets::Grower {
 public:
  Grower(OpSets& sets, OpId op) : sets_(sets), op_(op), after_(sets.with(kNoOps, op)) {}

  OpSet grown(OpSet set) {
    if (set == before_) return after_;
    before_ = set;
    return after_ = sets_.with(set, op_);
  }

 private:
  OpSets& sets_;
  OpId op_;
  OpSet before_ = kNoOps;
  OpSet after_;
};

}  // namespace syncsim
