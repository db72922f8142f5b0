// Everything goes straight to where it has to be, in one step (the one-shot kernels of TensorRT-LLM
// and MSCCL++): of an allreduce every rank sends all of its data to every other, and each adds up
// by itself: a + (p-1) n b over one port, a + n b where every two ranks have a link. Beside the
// data that others still read, the sums of an allreduce grow in scratch.
//   order=sequential   rank r sends to r + s in step s and nothing else, the pairwise exchange of
//                      MPI libraries: (p-1) (a + n b), of parts (p-1) (a + n b / p)

#include <algorithm>

#include "strategies/strategies.h"
#include "strategies/turns.h"

namespace syncsim::strategy {
namespace {

Slice message(const ScheduleBuilder& builder, int from, int to) {
  switch (builder.collective().kind) {
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::scatter:
      return builder.part(to);
    case CollectiveKind::all_gather:
    case CollectiveKind::gather:
      return builder.part(from);
    case CollectiveKind::all_to_all:
    case CollectiveKind::send_recv:
      return builder.block(from, to);
    case CollectiveKind::allreduce:
    case CollectiveKind::barrier:
    case CollectiveKind::reduce:
    case CollectiveKind::broadcast:
      break;
  }
  return builder.data();
}

// Calls send(from, to) for every two ranks of which one has something for the other.
template <class Send>
void each_pair(const Collective& collective, Send&& send) {
  const CollectiveRow& facts = row(collective.kind);
  const int ranks = collective.ranks;
  const int steps = collective.kind == CollectiveKind::send_recv ? std::min(ranks, 2) : ranks;
  for (int step = 1; step < steps; ++step) {
    if (facts.contributors == Who::root) {
      send(collective.root, (collective.root + step) % ranks);
    } else if (facts.holders == Who::root) {
      send((collective.root + ranks - step) % ranks, collective.root);
    } else {
      for (int rank = 0; rank < ranks; ++rank) send(rank, (rank + step) % ranks);
    }
  }
}

std::uint64_t pairs(const Collective& collective) {
  const CollectiveRow& facts = row(collective.kind);
  const auto ranks = static_cast<std::uint64_t>(collective.ranks);
  if (facts.contributors == Who::root || facts.holders == Who::root) return ranks - 1;
  return ranks * (collective.kind == CollectiveKind::send_recv ? 1 : ranks - 1);
}

}  // namespace

void emit_one_shot(const StrategyInput& input, ScheduleBuilder& builder) {
  const Collective& collective = builder.collective();
  const bool sums = row(collective.kind).contributors == Who::all;
  const bool apart = sums_everywhere(collective.kind) && collective.ranks > 1;
  const Slice scratch = apart ? builder.scratch("sums", {builder.data().size()}) : Slice{};
  const std::uint64_t local = apart ? static_cast<std::uint64_t>(collective.ranks) : 0;
  const std::uint64_t ops = pairs(collective) + local;
  builder.expect({.ops = ops, .lanes = ops});

  Turns sending(builder, one_at_a_time(input));
  Turns receiving = sending;
  builder.phase(apart ? "exchange" : to_string(collective.kind));
  each_pair(collective, [&](int rank, int peer) {
    const auto from = static_cast<ParticipantId>(rank);
    const auto to = static_cast<ParticipantId>(peer);
    const Slice sent = message(builder, rank, peer);
    const OpId op = sums ? builder.reduce(from, sent, to, apart ? scratch : sent)
                         : builder.copy(from, to, sent);
    sending.take(from, op);
    receiving.take(to, op);
  });
  builder.phase("sum");
  for (ParticipantId rank = 0; rank < local; ++rank)
    builder.reduce(rank, scratch, rank, builder.data());
}

}  // namespace syncsim::strategy
