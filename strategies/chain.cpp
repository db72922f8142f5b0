// A pipeline along a path of the ranks, chunk behind chunk (also called pipelined chain or linear
// pipeline): data leaves the root from rank to rank, sums come to it the other way. With k chunks
// over p ranks:
//   reduce, broadcast   (p - 2 + k) (a + n b / k), at best (sqrt((p-2) a) + sqrt(n b))^2
//   allreduce           (2 (p-1) + k - 1) (a + n b / k) where both ways have their links; on one
//                       port a rank takes in sums and results at once
//   gather, scatter     (p-1) (a + n b / p): block behind block, to the farthest rank first
// A path that has the root inside it is two arms.

#include <algorithm>
#include <numeric>

#include "strategies/ring_orders.h"
#include "strategies/strategies.h"
#include "strategies/trees.h"

namespace syncsim::strategy {
namespace {

// From a rank to the root.
std::vector<ParticipantId> way_up(const Tree& tree, int rank) {
  std::vector<ParticipantId> way{static_cast<ParticipantId>(rank)};
  for (; rank != tree.root; way.push_back(static_cast<ParticipantId>(rank)))
    rank = tree.parent[static_cast<std::size_t>(rank)];
  return way;
}

// Block by block; of a gather, the nearest rank's first.
void move_blocks(const Tree& tree, ScheduleBuilder& builder) {
  const bool up = builder.collective().kind == CollectiveKind::gather;
  const std::size_t ranks = tree.level.size();
  const auto hops = std::accumulate(tree.level.begin(), tree.level.end(), std::uint64_t{0});
  builder.expect({.ops = hops, .lanes = ranks - 1});
  builder.phase(up ? "gather" : "scatter");
  for (std::size_t i = 0; i < ranks; ++i) {
    const int rank = tree.top_down[up ? i : ranks - 1 - i];
    std::vector<ParticipantId> way = way_up(tree, rank);
    if (!up) std::reverse(way.begin(), way.end());
    for (std::size_t hop = 1; hop < way.size(); ++hop)
      builder.copy(way[hop - 1], way[hop], builder.part(rank));
  }
}

}  // namespace

void emit_chain(const StrategyInput& input, ScheduleBuilder& builder) {
  const int root = builder.collective().root;
  const std::vector<int> path = chosen_path(input, "path", root);
  const auto at_root = std::find(path.begin(), path.end(), root) - path.begin();
  const Tree tree = make_tree(path, [&](int i) {
    if (i == at_root) return i;
    return i < at_root ? i + 1 : i - 1;
  });
  if (has_blocks(builder.collective().kind)) return move_blocks(tree, builder);
  const int chunks = chunk_count(input, builder, tree);
  emit_trees({{tree, builder.split(builder.data(), chunks)}}, false, builder);
}

}  // namespace syncsim::strategy
