// Sums and copies made by the switches on the way (NVIDIA's NVLink SHARP and InfiniBand SHARP). A
// reduce from all ranks uses each link of its tree once, and so does a copy to all. Of an allreduce
// of M bytes the links of each of n ranks carry, in each direction,
//   nvls   M (1 + 1/n): every rank reads the sum of its part through the switches and sends it to
//          all; what it has itself goes through the switches too
//   sharp  M: switches hold the sum and send it to all; planes or spines share the data
// Chunk behind chunk, both directions are busy at once: k chunks take (1 + 1/n + (1 - 1/n) / k) M/B
// with nvls and (1 + 1/k) M/B with sharp, and twice the latency of the tree.

#include <numeric>

#include "strategies/able_switches.h"
#include "strategies/announce.h"
#include "strategies/strategies.h"
#include "strategies/trees.h"

namespace syncsim::strategy {
namespace {

// Some of the data, and who adds it up for all, or has it.
struct Share {
  ParticipantId at = 0;
  Slice slice;
  std::uint16_t channel = 0;
};

std::vector<Share> of_each_rank(const ScheduleBuilder& builder) {
  std::vector<Share> shares;
  for (int rank = 0; rank < builder.ranks(); ++rank)
    shares.push_back({static_cast<ParticipantId>(rank), builder.part(rank)});
  return shares;
}

std::vector<Share> of_switches(ScheduleBuilder& builder, AbleSwitches& switches) {
  const std::vector<AbleSwitches::Root> roots = switches.roots();
  std::vector<int> weights;
  for (const AbleSwitches::Root& root : roots) weights.push_back(root.weight);
  const std::vector<Slice> slices = builder.split(builder.data(), weights);
  std::vector<Share> shares;
  for (std::size_t i = 0; i < roots.size(); ++i)
    shares.push_back({builder.helper(roots[i].node), slices[i], static_cast<std::uint16_t>(i)});
  return shares;
}

std::vector<Share> shares_of(const StrategyInput& input, ScheduleBuilder& builder,
                             AbleSwitches& switches) {
  const Collective& collective = builder.collective();
  const auto algorithm = input.parameters.choice("algorithm", {"auto", "nvls", "sharp"});
  const bool by_ranks = algorithm == "nvls" || (algorithm == "auto" && switches.on_nvlink());
  if (has_blocks(collective.kind)) return of_each_rank(builder);
  if (!sums_everywhere(collective.kind))
    return {{static_cast<ParticipantId>(collective.root), builder.data()}};
  return by_ranks ? of_each_rank(builder) : of_switches(builder, switches);
}

// What is added up and handed on goes in chunks; what is only one of both, as a whole.
std::vector<std::vector<Slice>> cut(const StrategyInput& input, ScheduleBuilder& builder,
                                    const std::vector<Share>& shares) {
  const Collective& collective = builder.collective();
  const std::int64_t size = shares.front().slice.size();
  const int count = chunk_count(input, sums_everywhere(collective.kind) ? 1 : 0, size,
                                size / collective.element_size());
  std::vector<std::vector<Slice>> chunks;
  for (const Share& share : shares) chunks.push_back(builder.split(share.slice, count));
  return chunks;
}

ParticipantId everyone(ScheduleBuilder& builder) {
  std::vector<ParticipantId> ranks(static_cast<std::size_t>(builder.ranks()));
  std::iota(ranks.begin(), ranks.end(), ParticipantId{0});
  return builder.group(ranks);
}

}  // namespace

void emit_in_network(const StrategyInput& input, ScheduleBuilder& builder) {
  if (builder.ranks() == 1) return;
  AbleSwitches switches(input.topology, builder);
  const std::vector<Share> shares = shares_of(input, builder, switches);
  const bool sums = row(builder.collective().kind).contributors == Who::all;
  const bool spreads = row(builder.collective().kind).holders == Who::all;
  for (const Share& share : {shares.front(), shares.back()}) {
    if (sums) switches.require_tree(TreeKind::reduce, builder.node_of(share.at));
    if (spreads) switches.require_tree(TreeKind::multicast, builder.node_of(share.at));
  }
  const std::vector<std::vector<Slice>> chunks = cut(input, builder, shares);
  const ParticipantId all = everyone(builder);
  const auto ranks = static_cast<std::uint64_t>(builder.ranks());
  const std::uint64_t lanes = shares.size() * (sums && spreads ? 2 : 1);
  const std::uint64_t ops = lanes * chunks.front().size();
  announce(builder, ops, lanes * ranks, ops * ranks);  // as much as a lane a member, and a chunk
  for (std::size_t chunk = 0; chunk < chunks.front().size(); ++chunk)
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const Slice& slice = chunks[i][chunk];
      if (slice.size() == 0) continue;
      builder.phase("reduce");
      if (sums) builder.reduce(all, shares[i].at, slice, shares[i].channel);
      builder.phase("broadcast");
      if (spreads) builder.copy(shares[i].at, all, slice, shares[i].channel);
    }
}

}  // namespace syncsim::strategy
