// Spanning trees packed into the machine (strategies/packing/tree_packing.h), as many for every
// root, each with a share of the root's data on channels of its own:
//   allreduce                    any roots; chunks follow each other up a tree, added up on the
//                                way, and down again behind one another, both at once
//   broadcast, reduce            all trees have the collective's root; down, or up
//   all-gather, reduce-scatter   every rank is the root of trees for its part
// A tree takes no more than its rate, so that trees never hold each other up. To fill and drain a
// tree of height h takes (h - 1) / chunks of the time, of an allreduce (2 h - 1) / chunks.

#include <algorithm>
#include <numeric>

#include "sim/base/error.h"
#include "strategies/packing/tree_shares.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

constexpr std::int64_t kMostTrees = 512;     // for each root
constexpr std::int64_t kMostRoots = 32'000;  // each may need two channels of 65,536
constexpr std::int64_t kLeastTreeBytes = 65'536;

PackingWish wish_of(const StrategyInput& input, const Collective& collective) {
  const CollectiveRow& facts = row(collective.kind);
  PackingWish wish;
  if (facts.contributors != Who::all) wish.flow = Flow::down;
  if (facts.holders != Who::all) wish.flow = Flow::up;
  if (has_blocks(collective.kind)) {
    wish.roots.resize(static_cast<std::size_t>(collective.ranks));
    std::iota(wish.roots.begin(), wish.roots.end(), 0);
  } else if (wish.flow != Flow::both) {
    wish.roots = {collective.root};
  }
  const auto roots = static_cast<std::int64_t>(std::max<std::size_t>(1, wish.roots.size()));
  wish.most_trees = static_cast<int>(
      std::clamp(collective.bytes.count / roots / kLeastTreeBytes, std::int64_t{1}, kMostTrees));
  if (roots > kMostRoots)
    throw InputError("packed_trees gives every rank's trees channels of their own, for " +
                         std::to_string(kMostRoots) + " ranks at most; these are " +
                         std::to_string(roots),
                     "use fewer ranks, or another strategy");
  wish.overhead =
      seconds(largest_overhead(input, hops_along({input.ranks.begin(), input.ranks.end()})));
  wish.bytes = static_cast<double>(collective.bytes.count);
  if (input.parameters.text("trees") != "auto")
    wish.trees = static_cast<int>(
        input.parameters.integer("trees", 1, std::min(kMostTrees, kMostRoots / roots)));
  return wish;
}

std::string note_of(const TreePacking& packing) {
  int height = 0;
  int trees = 0;
  for (const PackedTree& tree : packing.trees) {
    height = std::max(height, tree.rate > 0 ? tree.tree.depth() : 0);
    trees += tree.rate > 0 ? 1 : 0;
  }
  return "trees: " + std::to_string(trees) + ", " + std::to_string(height) + " high, " +
         to_string(Bandwidth{packing.rate()}) + " together" +
         (packing.relays.empty() ? "" : ", over nodes beside the ranks too");
}

std::vector<std::string> ids_of(const std::vector<NodeId>& nodes, const Topology& topology) {
  std::vector<std::string> ids;
  for (const NodeId node : nodes) ids.push_back(topology.nodes()[node].id);
  return ids;
}

}  // namespace

void emit_packed_trees(const StrategyInput& input, ScheduleBuilder& builder) {
  const Collective& collective = builder.collective();
  if (collective.ranks == 1 || collective.bytes.count == 0) return;
  PackingWish wish = wish_of(input, collective);
  wish.heed = [&] { builder.heed_watch(); };
  // Before the trees are looked for: one for each root may be too many.
  const std::uint64_t least =
      hops(wish.flow, collective.ranks) * std::max<std::size_t>(1, wish.roots.size());
  builder.expect({.ops = least, .lanes = least});
  const TreePacking packing = pack_trees(input.topology, input.ranks, wish);
  builder.note(note_of(packing));
  emit_trees(tree_shares(input, packing, wish.flow, builder), false, builder,
             ids_of(packing.relays, input.topology));
}

}  // namespace syncsim::strategy
