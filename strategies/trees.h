#pragma once
// Spanning trees over the ranks, and the pipelines that run on them: what chain, binomial_tree,
// binary_tree, double_binary_tree and packed_trees share. Sums go up a tree, data goes down it,
// chunk behind chunk; an allreduce does both, and a chunk that has come to the root turns there at
// once.

#include <functional>
#include <string>
#include <vector>

#include "sim/schedule/strategy.h"
#include "strategies/overheads.h"
#include "strategies/turns.h"

namespace syncsim::strategy {

// By rank where nothing else is said, and by relay: helpers, numbered behind the ranks, some of
// which a tree may leave out.
struct Tree {
  int root = 0;
  std::vector<int> parent;                 // the root is its own
  std::vector<std::vector<int>> children;  // in the order in which a rank adds them up
  std::vector<int> level;                  // hops from the root
  std::vector<int> top_down;               // all that it holds, parents before their children

  int depth() const { return level[static_cast<std::size_t>(top_down.back())]; }
};

// `rank_at[i]` is the rank at position i, and parent_of(i) its parent's position, or i where it is
// the root. Children stand in the order of their positions.
Tree make_tree(const std::vector<int>& rank_at, const std::function<int(int)>& parent_of);

// Ranks in order, from `first` on and around.
std::vector<int> ranks_from(int first, int ranks);

// Down the tree; `nodes` of ranks, and of relays behind them.
std::vector<NodeHop> hops_of(const Tree& tree, const std::vector<NodeId>& nodes);

// The parameter `chunks`; auto: sqrt(hops x bytes / cost), from 1 to 256, where a transfer costs as
// much beside its bytes as 64 KiB do, or more where overheads say so: overhead_bytes() of the hops
// that it goes over.
int chunk_count(const StrategyInput& input, double hops, std::int64_t bytes, std::int64_t elements,
                const std::vector<NodeHop>& over);
// Of the whole data on a tree, up and down where it does both.
int chunk_count(const StrategyInput& input, const ScheduleBuilder& builder, const Tree& tree);

// One tree with its share of the data.
struct TreeShare {
  Tree tree;
  std::vector<Slice> chunks;
  double maximum_rate = 0;         // bytes/s of every hop; 0: none
  std::vector<Plane> planes = {};  // by rank, of the hop to its parent; empty: all links
  std::uint16_t host_channel = 0;  // of hops that keep to the host's links

  bool uses_host() const;
};

// What sums to one rank or comes from one (allreduce, reduce, broadcast, barrier), or, with trees
// of which each brings its root's part, all-gather and reduce-scatter. Share i is on channel i.
// Where ranks serve one child at a time, they add up the first first and hand on to the last first.
// `relays`: their nodes.
void emit_trees(const std::vector<TreeShare>& shares, bool one_at_a_time, ScheduleBuilder& builder,
                const std::vector<std::string>& relays = {});

}  // namespace syncsim::strategy
