// Two binary trees with half of the data each, in which every rank is a leaf of one and an inner
// node of the other (Sanders, Speck and Traeff, Parallel Computing 35(12), 2009; NCCL 2.4): a rank
// hands on what one tree brings to two children, and of the other tree hands on nothing, so that no
// port carries more than M each way. Pipelined, a reduce or a broadcast takes M / B and an
// allreduce 2 M / B, at a depth of lg p.
//   T1: position 0 stands above an in-order tree of positions 1 to p-1. The parent of i, whose
//       lowest set bit is b, is i with b moved up one place, or cleared where that is out of range;
//       odd positions are leaves.
//   T2: the same with the ranks mirrored (p even) or shifted by one (p odd), so that leaves change
//       places with inner nodes. Of a reduce or a broadcast both trees have one root, which keeps
//       position 0; then the p-1 others are mirrored or shifted.
// With an odd number of ranks to mirror or shift, one is inner, or a leaf, in both.

#include "strategies/double_binary_tree.h"

#include "strategies/strategies.h"
#include "strategies/trees.h"

namespace syncsim::strategy {
namespace {

// Where the rank at a position of T1 is exchanged for another in T2.
int second_position(int position, int ranks, bool one_root) {
  const bool even = ranks % 2 == 0;
  if (!one_root) return even ? ranks - 1 - position : (position + 1) % ranks;
  if (position == 0) return 0;
  return even ? position % (ranks - 1) + 1 : ranks - position;
}

}  // namespace

int binary_parent(int position, int count) {
  if (position == 0) return 0;
  const int bit = position & -position;
  const int above = (position - bit) | (bit << 1);
  return above < count ? above : position - bit;
}

std::vector<int> second_order(const std::vector<int>& first, bool one_root) {
  const int count = static_cast<int>(first.size());
  std::vector<int> second;
  for (int i = 0; i < count; ++i)
    second.push_back(first[static_cast<std::size_t>(second_position(i, count, one_root))]);
  return second;
}

void emit_double_binary_tree(const StrategyInput& input, ScheduleBuilder& builder) {
  const int ranks = builder.ranks();
  const bool one_root = !sums_everywhere(builder.collective().kind);
  const std::vector<int> first = ranks_from(builder.collective().root, ranks);
  const std::vector<Slice> halves = builder.split(builder.data(), 2);
  std::vector<TreeShare> shares;
  for (const std::vector<int>& rank_at : {first, second_order(first, one_root)}) {
    const Tree tree = make_tree(rank_at, [&](int i) { return binary_parent(i, ranks); });
    const int chunks = chunk_count(input, builder, tree);
    shares.push_back({tree, builder.split(halves[shares.size()], chunks)});
  }
  emit_trees(shares, one_at_a_time(input), builder);
}

}  // namespace syncsim::strategy
