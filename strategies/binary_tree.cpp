// One complete binary tree, laid out as a heap: the children of position i are 2i + 1 and 2i + 2,
// position 0 being the root. Pipelined, it takes (h + k - 1) steps of k chunks over h = floor(lg p)
// levels; on one port a rank serves two children with each chunk, so M / B takes at least 2 M / B
// (double_binary_tree mends that).

#include "strategies/strategies.h"
#include "strategies/trees.h"

namespace syncsim::strategy {

void emit_binary_tree(const StrategyInput& input, ScheduleBuilder& builder) {
  const std::vector<int> ranks = ranks_from(builder.collective().root, builder.ranks());
  const Tree tree = make_tree(ranks, [](int i) { return i == 0 ? 0 : (i - 1) / 2; });
  const int chunks = chunk_count(input, builder, tree);
  emit_trees({{tree, builder.split(builder.data(), chunks)}}, one_at_a_time(input), builder);
}

}  // namespace syncsim::strategy
