// Bruck's algorithms (Bruck, Ho, Kipnis, Upfal and Weathersby, IEEE Trans. Parallel Distrib. Syst.
// 8(11), 1997): ceil(lg n) steps for any number n of ranks. In step k of an all-gather a rank sends
// all parts that it has, those of ranks r, r+1, ..., to the rank 2^k before it, which then has
// twice as many: ceil(lg n) a + (n-1)/n M / B. The all-to-all is in bruck_exchange.h.

#include <algorithm>
#include <bit>

#include "strategies/announce.h"
#include "strategies/bruck_exchange.h"
#include "strategies/fold.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

// The parts [first, first + count), in one slice or, around the end, in two.
std::vector<Slice> parts_around(ScheduleBuilder& builder, int first, int count) {
  const int ranks = builder.ranks();
  const auto parts = [&](int begin, int end) {
    return joined(builder.part(begin), builder.part(end - 1));
  };
  const int rest = first + count - ranks;
  if (rest <= 0) return {parts(first, first + count)};
  return {parts(first, ranks), parts(0, rest)};
}

void all_gather(ScheduleBuilder& builder) {
  const int ranks = builder.ranks();
  const auto steps = static_cast<std::uint64_t>(std::bit_width(static_cast<unsigned>(ranks - 1)));
  const auto n = static_cast<std::uint64_t>(ranks);
  const std::uint64_t ops = n * steps + n - 1;  // n - 1 slices begin again at part 0
  announce(builder, ops, ops, n * (n - 1));
  builder.phase("all-gather");
  Rounds rounds(builder);
  for (int had = 1; had < ranks; had *= 2) {
    for (int rank = 0; rank < ranks; ++rank) {
      const auto to = static_cast<ParticipantId>((rank + ranks - had) % ranks);
      std::uint16_t channel = 0;  // two slices go side by side
      for (const Slice& slice : parts_around(builder, rank, std::min(had, ranks - had)))
        rounds.copy(static_cast<ParticipantId>(rank), to, slice, channel++);
    }
    rounds.next();
  }
}

}  // namespace

void emit_bruck(const StrategyInput&, ScheduleBuilder& builder) {
  if (builder.collective().kind == CollectiveKind::all_gather) return all_gather(builder);
  emit_bruck_exchange(builder);
}

}  // namespace syncsim::strategy
