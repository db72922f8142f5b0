// Spanning trees packed into the machine (strategies/packing/tree_packing.h), each with an equal
// share of the data on a channel of its own. Chunks follow each other up a tree, added up on the
// way, and down again behind one another, so that every link is busy in both directions at once: on
// full-duplex links M / strength, the partition bound, and (chunks + 2 height) / chunks of it for
// filling and draining the trees.

#include <algorithm>
#include <cmath>

#include "strategies/packing/tree_packing.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

constexpr std::int64_t kMostChunks = 100'000;
constexpr std::int64_t kChunksALevel = 128;
constexpr std::int64_t kLeastChunkBytes = 4096;

class Tree {
 public:
  Tree(ScheduleBuilder& builder, const SpanningTree& tree, std::uint16_t channel)
      : builder_(builder), tree_(tree), channel_(channel) {}

  void up(const Slice& chunk) const {
    for (auto rank = tree_.top_down.rbegin(); rank != tree_.top_down.rend(); ++rank)
      if (parent(*rank) >= 0) builder_.reduce(id(*rank), id(parent(*rank)), chunk, channel_);
  }
  void down(const Slice& chunk) const {
    for (const int rank : tree_.top_down)
      if (parent(rank) >= 0) builder_.copy(id(parent(rank)), id(rank), chunk, channel_);
  }

 private:
  static ParticipantId id(int rank) { return static_cast<ParticipantId>(rank); }
  int parent(int rank) const { return tree_.parent[static_cast<std::size_t>(rank)]; }

  ScheduleBuilder& builder_;
  const SpanningTree& tree_;
  std::uint16_t channel_;
};

// A tree is filled and drained once: with many chunks that costs little.
int chunks_of(const StrategyInput& input, const Slice& share, const SpanningTree& tree) {
  if (input.parameters.text("chunks") != "auto")
    return static_cast<int>(input.parameters.integer("chunks", 1, kMostChunks));
  return static_cast<int>(std::clamp(share.size() / kLeastChunkBytes, std::int64_t{1},
                                     kChunksALevel * (tree.height + 1)));
}

// In proportion to the trees' rates.
std::vector<int> weights(const TreePacking& packing) {
  constexpr double kParts = 1e6;
  std::vector<int> result;
  for (const SpanningTree& tree : packing.trees)
    result.push_back(static_cast<int>(std::lround(tree.rate / packing.rate() * kParts)));
  return result;
}

std::string note_of(const TreePacking& packing) {
  int height = 0;
  for (const SpanningTree& tree : packing.trees) height = std::max(height, tree.height);
  return "trees: " + std::to_string(packing.trees.size()) + ", " + std::to_string(height) +
         " high, " + to_string(Bandwidth{packing.rate()}) + " together";
}

// By tree. All cuts come before the first op, so that one pass does.
std::vector<std::vector<Slice>> all_chunks(const StrategyInput& input, ScheduleBuilder& builder,
                                           const TreePacking& packing) {
  const std::vector<Slice> shares = builder.split(builder.data(), weights(packing));
  std::vector<std::vector<Slice>> chunks;
  for (std::size_t i = 0; i < shares.size(); ++i)
    chunks.push_back(builder.split(shares[i], chunks_of(input, shares[i], packing.trees[i])));
  return chunks;
}

}  // namespace

void emit_packed_trees(const StrategyInput& input, ScheduleBuilder& builder) {
  const Collective& collective = builder.collective();
  if (collective.ranks == 1 || collective.bytes.count == 0) return;
  const bool rooted = !sums_everywhere(collective.kind);
  const TreePacking packing =
      pack_trees(input.topology, input.ranks, rooted ? collective.root : -1);
  builder.note(note_of(packing));
  const std::vector<std::vector<Slice>> chunks = all_chunks(input, builder, packing);
  std::uint64_t count = 0;
  for (const auto& of_tree : chunks) count += of_tree.size();
  const auto ways = static_cast<std::uint64_t>(collective.ranks - 1) * (rooted ? 1 : 2);
  builder.expect({.ops = ways * count, .lanes = ways * chunks.size()});
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto channel = static_cast<std::uint16_t>(i);
    // No tree takes what is another's: the links then never hold a chunk up.
    builder.channel(channel,
                    {.maximum_rate = packing.trees[i].rate, .plane = packing.trees[i].plane});
    const Tree tree(builder, packing.trees[i], channel);
    for (const Slice& chunk : chunks[i]) {
      builder.phase("reduce");
      if (collective.kind != CollectiveKind::broadcast) tree.up(chunk);
      builder.phase("broadcast");
      if (collective.kind != CollectiveKind::reduce) tree.down(chunk);
    }
  }
}

}  // namespace syncsim::strategy
