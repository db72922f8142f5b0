// Everything goes straight to where it has to be, in one step (the one-shot kernels of TensorRT-LLM
// and MSCCL++): of an allreduce every rank sends all of its data to every other, and each adds up
// by itself: a + (p-1) n b over one port, a + n b where every two ranks have a link. Beside the
// data that others still read, the sums of an allreduce grow in scratch.
//   order=sequential   rank r sends to r + s in step s and nothing else, the pairwise exchange of
//                      MPI libraries: (p-1) (a + n b), of parts (p-1) (a + n b / p)

#include "strategies/direct.h"
#include "strategies/strategies.h"
#include "strategies/turns.h"

namespace syncsim::strategy {

void emit_one_shot(const StrategyInput& input, ScheduleBuilder& builder) {
  const Collective& collective = builder.collective();
  const bool apart = sums_everywhere(collective.kind) && collective.ranks > 1;
  const std::uint64_t local = apart ? static_cast<std::uint64_t>(collective.ranks) : 0;
  const std::uint64_t ops = direct_transfers(collective) + 2 * local;
  builder.expect({.ops = ops, .lanes = ops});

  Directly how{.one_at_a_time = one_at_a_time(input), .sums = {}};
  if (apart) how.sums = builder.scratch("sums", {builder.data().size()});
  builder.phase(apart ? "exchange" : to_string(collective.kind));
  for (ParticipantId rank = 0; rank < local; ++rank)
    builder.copy(rank, builder.data(), rank, *how.sums);
  emit_directly(builder, how);
  for (ParticipantId rank = 0; rank < local; ++rank)
    builder.copy(rank, *how.sums, rank, builder.data());
}

}  // namespace syncsim::strategy
