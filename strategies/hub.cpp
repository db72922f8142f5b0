#include "strategies/hub.h"

#include "strategies/turns.h"

namespace syncsim::strategy {
namespace {

using RankOf = int (Collective::*)(std::int64_t block) const;

std::vector<Slice> blocks_of(const ScheduleBuilder& builder) {
  const Collective& collective = builder.collective();
  if (!has_blocks(collective.kind)) return {builder.data()};
  std::vector<Slice> result;
  for (int rank = 0; rank < collective.ranks; ++rank)
    if (collective.kind != CollectiveKind::all_to_all) {
      result.push_back(is_pairwise(collective.kind) ? builder.block(rank, rank)
                                                    : builder.part(rank));
    } else {
      for (int to = 0; to < collective.ranks; ++to) result.push_back(builder.block(rank, to));
    }
  return result;
}

// By rank, what it has to send, or to get from another: blocks that follow each other are one
// slice.
std::vector<std::vector<Slice>> concerns(const ScheduleBuilder& builder, RankOf of) {
  const Collective& collective = builder.collective();
  const Slice data = builder.data();
  if ((collective.*of)(0) == Collective::kEveryRank)
    return {static_cast<std::size_t>(collective.ranks), {data}};
  std::vector<std::vector<Slice>> result(static_cast<std::size_t>(collective.ranks));
  const std::vector<Slice> blocks = blocks_of(builder);
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const auto number = static_cast<std::int64_t>(block);
    if (collective.contributor(number) == collective.holder(number)) continue;
    auto& slices = result[static_cast<std::size_t>((collective.*of)(number))];
    const Slice slice = blocks[block];
    if (!slices.empty() && slices.back().end == slice.begin) {
      slices.back().end = slice.end;
    } else if (slice.size() > 0) {
      slices.push_back(slice);
    }
  }
  return result;
}

std::string_view inward_phase(Who contributors) {
  if (contributors == Who::all) return "reduce";
  return contributors == Who::owner ? "gather" : "send";
}

std::string_view outward_phase(Who holders) {
  if (holders == Who::all) return "broadcast";
  return holders == Who::owner ? "scatter" : "send";
}

std::uint64_t transfers(const std::vector<std::vector<Slice>>& slices) {
  std::uint64_t count = 0;
  for (const auto& of_rank : slices) count += of_rank.size();
  return count;
}

// Slices of several blocks are as many chunks.
std::uint64_t chunks_an_op(const Collective& collective) {
  const bool several = has_blocks(collective.kind) && collective.kind != CollectiveKind::send_recv;
  return several ? static_cast<std::uint64_t>(collective.ranks) / 2 + 1 : 1;
}

}  // namespace

void emit_through_hub(const StrategyInput& input, ScheduleBuilder& builder, ParticipantId hub) {
  const CollectiveRow& facts = row(builder.collective().kind);
  const auto sent = concerns(builder, &Collective::contributor);
  const auto received = concerns(builder, &Collective::holder);
  const std::uint64_t ops = transfers(sent) + transfers(received);
  builder.expect(
      {.ops = ops, .lanes = 2 * sent.size(), .chunks_an_op = chunks_an_op(builder.collective())});
  Turns turns(builder, one_at_a_time(input));
  builder.phase(inward_phase(facts.contributors));
  for (ParticipantId rank = 0; rank < sent.size(); ++rank)
    for (const Slice& slice : sent[rank]) {
      if (rank == hub) continue;
      turns.take(hub, facts.contributors == Who::all ? builder.reduce(rank, hub, slice)
                                                     : builder.copy(rank, hub, slice));
    }
  builder.phase(outward_phase(facts.holders));
  for (ParticipantId rank = 0; rank < received.size(); ++rank)
    for (const Slice& slice : received[rank])
      if (rank != hub) turns.take(hub, builder.copy(hub, rank, slice));
}

}  // namespace syncsim::strategy
