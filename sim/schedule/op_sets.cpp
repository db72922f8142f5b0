#include "sim/schedule/op_sets.h"

#include "sim/base/error.h"

namespace syncsim {

OpSet OpSets::with(OpSet set, OpId op) {
  if (set == kNoOps) return op;
  const std::uint32_t ops = is_single(set) ? 2 : fan(set).ops + 1;
  require(nodes_.size() < kNeverASet - kFirstList, "too many sets of ops to wait for");
  nodes_.push_back({op, set, {ops, 0, kNone}});
  return kFirstList + static_cast<OpSet>(nodes_.size() - 1);
}

void OpSets::append_to(std::vector<OpId>& list, OpSet set) const {
  while (set != kNoOps) {
    if (is_single(set)) {
      list.push_back(set);
      return;
    }
    const Node& node = nodes_[set - kFirstList];
    list.push_back(node.op);
    set = node.rest;
  }
}

}  // namespace syncsim
