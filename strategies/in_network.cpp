// Sums and copies made by the switches on the way (NVIDIA's NVLink SHARP and InfiniBand SHARP). A
// reduce from all ranks uses each link of its tree once, and so does a copy to all. Of an allreduce
// of M bytes the links of each of n ranks carry, in each direction,
//   nvls   M (1 + 1/n): every rank reads the sum of its part through the switches and sends it to
//          all; what it has itself goes through the switches too
//   sharp  M: switches hold the sum and send it to all; planes or spines share the data
// Chunk behind chunk, both directions are busy at once: k chunks take (1 + 1/n + (1 - 1/n) / k) M/B
// with nvls and (1 + 1/k) M/B with sharp, and twice the latency of the tree.

#include <numeric>

#include "strategies/announce.h"
#include "strategies/network_shares.h"
#include "strategies/strategies.h"
#include "strategies/trees.h"

namespace syncsim::strategy {
namespace {

// What is added up and handed on goes in chunks; what is only one of both, as a whole.
std::vector<std::vector<Slice>> cut(const StrategyInput& input, ScheduleBuilder& builder,
                                    const std::vector<NetworkShare>& shares) {
  const Collective& collective = builder.collective();
  const std::int64_t size = shares.front().slice.size();
  const NodeId at = input.topology.node(builder.node_of(shares.front().at));
  const int count =
      chunk_count(input, sums_everywhere(collective.kind) ? 1 : 0, size,
                  size / collective.element_size(), {{input.ranks[0], at}, {input.ranks[1], at}});
  std::vector<std::vector<Slice>> chunks;
  for (const NetworkShare& share : shares) chunks.push_back(builder.split(share.slice, count));
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
  const AbleSwitches switches(input);
  const std::vector<NetworkShare> shares = network_shares(input, builder, switches);
  const bool sums = row(builder.collective().kind).contributors == Who::all;
  const bool spreads = row(builder.collective().kind).holders == Who::all;
  for (const NetworkShare& share : {shares.front(), shares.back()}) {
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
