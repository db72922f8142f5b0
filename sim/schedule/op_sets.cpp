#include "sim/schedule/op_sets.h"

#include <algorithm>

#include "sim/base/error.h"

namespace syncsim {

OpSet OpSets::grown(OpSet set, OpId op) {
  if (is_single(set)) {
    const OpSet pair = begin_block(kNoOps, set) + 1;
    blocks_.back().ops[1] = op;
    return pair;
  }
  const std::uint32_t next = place(set) + 1;
  std::array<OpId, kPlaces>& ops = blocks_[block(set)].ops;
  if (next == kPlaces || ops[next] != kNone) return begin_block(set, op);
  ops[next] = op;
  return set + 1;
}

OpSet OpSets::begin_block(OpSet before, OpId op) {
  require(blocks_.size() < block(kNeverASet), "too many sets of ops to wait for");
  Block& added = blocks_.emplace_back(Block{{}, before, kNone});
  added.ops.fill(kNone);
  added.ops[0] = op;
  return kFirstList + static_cast<OpSet>(blocks_.size() - 1) * kPlacesNumbered;
}

OpSets::Fan& OpSets::fan(OpSet set) {
  std::uint32_t& first = blocks_[block(set)].fans;
  for (std::uint32_t fan = first; fan != kNone; fan = fans_[fan].next)
    if (fans_[fan].set == set) return fans_[fan];
  fans_.push_back({set, size(set), 0, kNone, first});
  first = static_cast<std::uint32_t>(fans_.size() - 1);
  return fans_.back();
}

void OpSets::clear() {
  blocks_.clear();
  fans_.clear();
}

void OpSets::append_many_to(std::vector<OpId>& list, OpSet set) const {
  const auto begin = static_cast<std::ptrdiff_t>(list.size());
  for (; set != kNoOps; set = blocks_[block(set)].before)
    for (std::uint32_t i = place(set) + 1; i-- > 0;) list.push_back(blocks_[block(set)].ops[i]);
  std::reverse(list.begin() + begin, list.end());
}

std::uint32_t OpSets::size(OpSet set) const {
  std::uint32_t ops = 0;
  for (; set != kNoOps; set = blocks_[block(set)].before) ops += place(set) + 1;
  return ops;
}

}  // namespace syncsim
