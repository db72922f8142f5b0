#include "strategies/packing/tree_shares.h"

#include <algorithm>
#include <cmath>

namespace syncsim::strategy {
namespace {

constexpr std::int64_t kMostPackedChunks = 100'000;
constexpr std::int64_t kMostChunksALevel = 128;
constexpr std::int64_t kLeastChunksALevel = 4;
constexpr std::int64_t kLeastChunkBytes = 4096;
constexpr std::int64_t kManyOps = 6'000'000;  // of all trees together
constexpr std::int64_t kMostChunksOfFewOps = 512;
constexpr std::int64_t kFewOps = 200'000;

// In proportion to the rates of every `step`th tree, from `first` on.
std::vector<int> weights(const TreePacking& packing, std::size_t first, std::size_t step) {
  constexpr double kParts = 1e6;
  double sum = 0;
  for (std::size_t i = first; i < packing.trees.size(); i += step) sum += packing.trees[i].rate;
  std::vector<int> result;
  for (std::size_t i = first; i < packing.trees.size(); i += step)
    result.push_back(static_cast<int>(std::lround(packing.trees[i].rate / sum * kParts)));
  return result;
}

// By tree. Where every rank is a root, trees come rank by rank, over and over.
std::vector<Slice> slices_by_root(const TreePacking& packing, ScheduleBuilder& builder) {
  if (!has_blocks(builder.collective().kind))
    return builder.split(builder.data(), weights(packing, 0, 1));
  std::vector<Slice> shares(packing.trees.size());
  const auto ranks = static_cast<std::size_t>(builder.ranks());
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::vector<Slice> pieces =
        builder.split(builder.part(static_cast<int>(rank)), weights(packing, rank, ranks));
    for (std::size_t i = 0; i < pieces.size(); ++i) shares[i * ranks + rank] = pieces[i];
  }
  return shares;
}

std::uint64_t hops(Flow flow, const Tree& tree) {
  return hops(flow, static_cast<int>(tree.top_down.size()));
}

// Levels that a chunk passes, up and down.
std::int64_t levels(const PackedTree& tree, Flow flow) {
  return std::int64_t{tree.tree.depth()} * (flow == Flow::both ? 2 : 1) + 1;
}

// Chunks beyond which overheads cost more than a tree's filling and draining.
double worth_cutting(const StrategyInput& input, const TreePacking& packing, std::size_t i,
                     Flow flow, std::int64_t bytes) {
  const PackedTree& tree = packing.trees[i];
  std::vector<NodeId> nodes(input.ranks.begin(), input.ranks.end());
  nodes.insert(nodes.end(), packing.relays.begin(), packing.relays.end());
  const double cost = overhead_bytes(input, hops_of(tree.tree, nodes), tree.rate);
  if (cost <= 0) return static_cast<double>(kMostPackedChunks);
  return std::sqrt(static_cast<double>(levels(tree, flow) * bytes) / cost);
}

// By tree. A tree is filled and drained once: with many chunks a level that costs little.
std::vector<int> chunks_of(const StrategyInput& input, const TreePacking& packing, Flow flow,
                           const std::vector<Slice>& shares) {
  if (input.parameters.text("chunks") != "auto")
    return std::vector<int>(
        shares.size(), static_cast<int>(input.parameters.integer("chunks", 1, kMostPackedChunks)));
  std::int64_t ops = 1;
  for (const PackedTree& tree : packing.trees)
    if (tree.rate > 0) ops += levels(tree, flow) * static_cast<std::int64_t>(hops(flow, tree.tree));
  const std::int64_t a_level =
      std::max(std::clamp(kManyOps / ops, kLeastChunksALevel, kMostChunksALevel),
               std::min(kFewOps / ops, kMostChunksOfFewOps));
  std::vector<int> chunks;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const std::int64_t bytes = shares[i].size();
    const std::int64_t most =
        std::min(bytes / kLeastChunkBytes, a_level * levels(packing.trees[i], flow));
    const double worth = worth_cutting(input, packing, i, flow, bytes);
    chunks.push_back(static_cast<int>(std::max(1.0, std::min(static_cast<double>(most), worth))));
  }
  return chunks;
}

}  // namespace

std::uint64_t hops(Flow flow, int nodes) {
  return static_cast<std::uint64_t>(nodes - 1) * (flow == Flow::both ? 2 : 1);
}

std::vector<TreeShare> tree_shares(const StrategyInput& input, const TreePacking& packing,
                                   Flow flow, ScheduleBuilder& builder) {
  const std::vector<Slice> slices = slices_by_root(packing, builder);
  const std::vector<int> chunks = chunks_of(input, packing, flow, slices);
  Expected expected;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (packing.trees[i].rate <= 0) continue;
    const std::uint64_t ways = hops(flow, packing.trees[i].tree);
    expected.ops += ways * static_cast<std::uint64_t>(chunks[i]);
    expected.lanes += ways;
  }
  builder.expect(expected);  // before it is cut
  std::vector<TreeShare> shares(slices.size());
  for (std::size_t i = 0; i < slices.size(); ++i)
    if (const auto& [tree, planes, rate] = packing.trees[i]; rate > 0)
      shares[i] = {tree, builder.split(slices[i], chunks[i]), rate, planes,
                   packing.host_channel(i)};
  return shares;
}

}  // namespace syncsim::strategy
