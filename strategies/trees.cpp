#include "strategies/trees.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "strategies/index.h"

namespace syncsim::strategy {
namespace {

constexpr std::int64_t kMostChunks = 1'000'000;

}  // namespace

std::vector<int> ranks_from(int first, int ranks) {
  std::vector<int> result;
  for (int i = 0; i < ranks; ++i) result.push_back((first + i) % ranks);
  return result;
}

Tree make_tree(const std::vector<int>& rank_at, const std::function<int(int)>& parent_of) {
  Tree tree;
  const std::size_t numbers = index(*std::max_element(rank_at.begin(), rank_at.end())) + 1;
  tree.parent.resize(numbers);
  tree.children.resize(numbers);
  tree.level.resize(numbers);
  for (std::size_t i = 0; i < rank_at.size(); ++i) {
    const int rank = rank_at[i];
    const int parent = rank_at[index(parent_of(static_cast<int>(i)))];
    tree.parent[index(rank)] = parent;
    if (parent == rank) {
      tree.root = rank;
    } else {
      tree.children[index(parent)].push_back(rank);
    }
  }
  tree.top_down = {tree.root};
  for (std::size_t i = 0; i < tree.top_down.size(); ++i)
    for (const int child : tree.children[index(tree.top_down[i])]) {
      tree.level[index(child)] = tree.level[index(tree.top_down[i])] + 1;
      tree.top_down.push_back(child);
    }
  return tree;
}

std::vector<NodeHop> hops_of(const Tree& tree, const std::vector<NodeId>& nodes) {
  std::vector<NodeHop> hops;
  for (const int number : tree.top_down)
    if (number != tree.root)
      hops.push_back({nodes[index(tree.parent[index(number)])], nodes[index(number)]});
  return hops;
}

int chunk_count(const StrategyInput& input, double hops, std::int64_t bytes, std::int64_t elements,
                const std::vector<NodeHop>& over) {
  if (input.parameters.text("chunks") != "auto")
    return static_cast<int>(input.parameters.integer("chunks", 1, kMostChunks));
  constexpr double kCost = 65'536;
  constexpr double kMost = 256;
  const double cost = std::max(kCost, overhead_bytes(input, over));
  const double best = std::sqrt(hops * static_cast<double>(bytes) / cost);
  return static_cast<int>(std::max(1.0, std::min({best, static_cast<double>(elements), kMost})));
}

int chunk_count(const StrategyInput& input, const ScheduleBuilder& builder, const Tree& tree) {
  const Collective& collective = builder.collective();
  const int passes = sums_everywhere(collective.kind) ? 2 : 1;
  return chunk_count(input, passes * tree.depth(), collective.bytes.count, collective.elements(),
                     hops_of(tree, {input.ranks.begin(), input.ranks.end()}));
}

namespace {

// One tree's ops. The hops of some ranks to their parents keep to the host's links.
class TreeOps {
 public:
  TreeOps(const TreeShare& share, std::size_t channel, const std::vector<ParticipantId>& ids,
          ScheduleBuilder& builder)
      : share_(share), channel_(static_cast<std::uint16_t>(channel)), ids_(ids), builder_(builder) {
    const bool has_own = share.maximum_rate > 0;
    if (has_own) builder.channel(channel_, {.maximum_rate = share.maximum_rate});
    if (has_own && share.uses_host())
      builder.channel(share.host_channel,
                      {.maximum_rate = share.maximum_rate, .plane = Plane::host});
  }

  // Children's sums into their parents, from the leaves to the root. Relays have none of their own.
  void add_up(const Slice& chunk, Turns& turns) {
    const std::vector<int>& top_down = share_.tree.top_down;
    for (auto rank = top_down.rbegin(); rank != top_down.rend(); ++rank)
      for (const int child : share_.tree.children[index(*rank)])
        turns.take(id(*rank), adds(*rank)
                                  ? builder_.reduce(id(child), id(*rank), chunk, channel_of(child))
                                  : builder_.copy(id(child), id(*rank), chunk, channel_of(child)));
  }

  // From the root to the leaves.
  void hand_down(const Slice& chunk, Turns& turns) {
    for (const int rank : share_.tree.top_down) {
      const std::vector<int>& children = share_.tree.children[index(rank)];
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        turns.take(id(rank), builder_.copy(id(rank), id(*child), chunk, channel_of(*child)));
    }
  }

 private:
  ParticipantId id(int number) const { return ids_[index(number)]; }
  bool adds(int number) const {
    return number < builder_.ranks() || share_.tree.children[index(number)].size() > 1;
  }
  std::uint16_t channel_of(int child) const {
    const bool over_host = !share_.planes.empty() && share_.planes[index(child)] == Plane::host;
    return over_host ? share_.host_channel : channel_;
  }

  const TreeShare& share_;
  std::uint16_t channel_;
  const std::vector<ParticipantId>& ids_;  // of ranks and relays
  ScheduleBuilder& builder_;
};

// Of ranks, and of those relays that a tree holds.
std::vector<ParticipantId> participants(const std::vector<TreeShare>& shares,
                                        const std::vector<std::string>& relays,
                                        ScheduleBuilder& builder) {
  const std::size_t ranks = index(builder.ranks());
  std::vector<bool> used(ranks + relays.size(), false);
  for (const TreeShare& share : shares)
    for (const int number : share.tree.top_down) used[index(number)] = true;
  std::vector<ParticipantId> ids(used.size());
  std::iota(ids.begin(), ids.begin() + builder.ranks(), ParticipantId{0});
  for (std::size_t relay = 0; relay < relays.size(); ++relay)
    if (used[ranks + relay]) ids[ranks + relay] = builder.helper(relays[relay]);
  return ids;
}

// Hops up, or down, of a chunk.
std::uint64_t hops_of(const TreeShare& share) {
  return share.chunks.empty() ? 0 : share.tree.top_down.size() - 1;
}

}  // namespace

bool TreeShare::uses_host() const {
  return std::find(planes.begin(), planes.end(), Plane::host) != planes.end();
}

void emit_trees(const std::vector<TreeShare>& shares, bool one_at_a_time, ScheduleBuilder& builder,
                const std::vector<std::string>& relays) {
  const CollectiveRow& facts = row(builder.collective().kind);
  const bool up = facts.contributors == Who::all;
  const bool down = facts.holders == Who::all;
  const std::uint64_t ways = up && down ? 2 : 1;
  Expected expected;
  for (const TreeShare& share : shares) {
    expected.ops += ways * hops_of(share) * share.chunks.size();
    expected.lanes += ways * hops_of(share);
  }
  builder.expect(expected);
  const std::vector<ParticipantId> ids = participants(shares, relays, builder);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    TreeOps tree(shares[i], i, ids, builder);
    Turns turns_up(builder, one_at_a_time);
    Turns turns_down(builder, one_at_a_time);
    for (const Slice& chunk : shares[i].chunks) {
      builder.phase("reduce");
      if (up) tree.add_up(chunk, turns_up);
      builder.phase("broadcast");
      if (down) tree.hand_down(chunk, turns_down);
    }
  }
}

}  // namespace syncsim::strategy
