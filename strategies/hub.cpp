#include "strategies/hub.h"

namespace syncsim::strategy {
namespace {

// The part of the data that concerns a rank: all of it, its own part, or (other than the root)
// none.
Slice concern(const ScheduleBuilder& builder, Who who, int rank) {
  if (who == Who::owner) return builder.part(rank);
  if (who == Who::all || rank == builder.collective().root) return builder.data();
  return {};
}

std::string_view inward_phase(Who contributors) {
  if (contributors == Who::all) return "reduce";
  return contributors == Who::owner ? "gather" : "send";
}

std::string_view outward_phase(Who holders) {
  if (holders == Who::all) return "broadcast";
  return holders == Who::owner ? "scatter" : "send";
}

// The cut at every rank's part, where there is one, goes through whole buffers as well.
void announce(ScheduleBuilder& builder, const CollectiveRow& collective) {
  const auto ranks = static_cast<std::uint64_t>(builder.ranks());
  const auto transfers = [&](Who who) { return who == Who::root ? 1 : ranks; };
  const bool cut = collective.contributors == Who::owner || collective.holders == Who::owner;
  const bool whole = collective.contributors == Who::all || collective.holders == Who::all;
  const std::uint64_t ops = transfers(collective.contributors) + transfers(collective.holders);
  builder.expect({.ops = ops, .lanes = ops, .chunks_an_op = cut && whole ? ranks / 2 + 1 : 1});
}

}  // namespace

void emit_through_hub(ScheduleBuilder& builder, ParticipantId hub) {
  const CollectiveRow& collective = row(builder.collective().kind);
  const auto each_other_rank = [&](Who who, auto&& send) {
    for (int rank = 0; rank < builder.ranks(); ++rank) {
      const auto participant = static_cast<ParticipantId>(rank);
      const Slice slice = concern(builder, who, rank);
      if (participant != hub && slice.size() > 0) send(participant, slice);
    }
  };

  announce(builder, collective);
  builder.phase(inward_phase(collective.contributors));
  each_other_rank(collective.contributors, [&](ParticipantId rank, const Slice& slice) {
    if (collective.contributors == Who::all) {
      builder.reduce(rank, hub, slice);
    } else {
      builder.copy(rank, hub, slice);
    }
  });
  builder.phase(outward_phase(collective.holders));
  each_other_rank(collective.holders,
                  [&](ParticipantId rank, const Slice& slice) { builder.copy(hub, rank, slice); });
}

}  // namespace syncsim::strategy
