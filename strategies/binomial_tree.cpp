// The binomial tree of MPI libraries (Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005): the
// parent of position i is i without its lowest set bit, and a rank serves its largest subtree
// first, so that the number of ranks that have the data doubles with every step.
//   reduce, broadcast    ceil(lg p) (a + n b)
//   allreduce            2 ceil(lg p) (a + n b): a reduce, then a broadcast
//   gather, scatter      lg p a + (p-1)/p n b for p = 2^k: the blocks of a subtree go together, in
//                        two transfers where its ranks go on from the last to the first

#include <algorithm>
#include <numeric>

#include "strategies/strategies.h"
#include "strategies/trees.h"

namespace syncsim::strategy {
namespace {

struct Message {
  int parent;
  int child;
  Slice blocks;
};

// The blocks of neighbours in one: ranks that follow each other have blocks that do.
std::vector<Slice> runs_of_blocks(std::vector<int> ranks, const ScheduleBuilder& builder) {
  std::sort(ranks.begin(), ranks.end());
  std::vector<Slice> result;
  for (const int rank : ranks) {
    const Slice block = builder.part(rank);
    if (block.size() == 0) continue;
    if (result.empty() || result.back().end != block.begin) {
      result.push_back(block);
    } else {
      result.back().end = block.end;
    }
  }
  return result;
}

// From the leaves up; of one parent's, the smallest subtree first.
std::vector<Message> messages(const Tree& tree, const ScheduleBuilder& builder) {
  std::vector<Message> result;
  std::vector<std::vector<int>> below(tree.top_down.size());  // by rank, with itself
  for (auto rank = tree.top_down.rbegin(); rank != tree.top_down.rend(); ++rank) {
    std::vector<int>& subtree = below[static_cast<std::size_t>(*rank)];
    subtree = {*rank};
    for (const int child : tree.children[static_cast<std::size_t>(*rank)]) {
      const std::vector<int>& of_child = below[static_cast<std::size_t>(child)];
      for (const Slice& blocks : runs_of_blocks(of_child, builder))
        result.push_back({*rank, child, blocks});
      subtree.insert(subtree.end(), of_child.begin(), of_child.end());
    }
  }
  return result;
}

void move_blocks(const StrategyInput& input, const Tree& tree, ScheduleBuilder& builder) {
  std::vector<Message> list = messages(tree, builder);
  const bool up = builder.collective().kind == CollectiveKind::gather;
  if (!up) std::reverse(list.begin(), list.end());
  const std::uint64_t ops = list.size();
  const auto hops = std::accumulate(tree.level.begin(), tree.level.end(), std::uint64_t{0});
  builder.expect({.ops = ops, .lanes = ops, .chunks_an_op = ops > 0 ? (hops + ops - 1) / ops : 0});
  builder.phase(up ? "gather" : "scatter");
  Turns turns(builder, one_at_a_time(input));
  for (const Message& message : list) {
    const auto parent = static_cast<ParticipantId>(message.parent);
    const auto child = static_cast<ParticipantId>(message.child);
    turns.take(parent, up ? builder.copy(child, parent, message.blocks)
                          : builder.copy(parent, child, message.blocks));
  }
}

}  // namespace

void emit_binomial_tree(const StrategyInput& input, ScheduleBuilder& builder) {
  const std::vector<int> ranks = ranks_from(builder.collective().root, builder.ranks());
  const Tree tree = make_tree(ranks, [](int i) { return i & (i - 1); });
  if (has_blocks(builder.collective().kind)) return move_blocks(input, tree, builder);
  const int chunks = chunk_count(input, builder, tree);
  emit_trees({{tree, builder.split(builder.data(), chunks)}}, one_at_a_time(input), builder);
}

}  // namespace syncsim::strategy
