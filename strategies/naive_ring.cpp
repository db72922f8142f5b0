// The textbook's naive ring (Dive into Deep Learning, "Parameter Servers"): the whole buffer goes
// around, added up on its first lap, handed on during the second, so that one link is busy at a
// time: 2 (n-1) (a + M / B). A reduce is the first lap, ending at the root, a broadcast the second.

#include <algorithm>

#include "strategies/ring_orders.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {

void emit_naive_ring(const StrategyInput& input, ScheduleBuilder& builder) {
  const std::vector<int> ring = chosen_path(input, "ring", builder.collective().root);
  const auto n = ring.size();
  const auto start = static_cast<std::size_t>(
      std::find(ring.begin(), ring.end(), builder.collective().root) - ring.begin());
  const auto at = [&](std::size_t hop) {  // the root is the last to add, and the first to hand on
    return static_cast<ParticipantId>(ring[(start + hop) % n]);
  };
  const CollectiveRow& facts = row(builder.collective().kind);
  const bool sums = facts.contributors == Who::all;
  const bool hands_on = facts.holders == Who::all;
  builder.expect({.ops = (n - 1) * (sums && hands_on ? 2 : 1), .lanes = n});
  if (sums) builder.phase("reduce");
  for (std::size_t hop = 1; sums && hop < n; ++hop)
    builder.reduce(at(hop), at(hop + 1), builder.data());
  if (hands_on) builder.phase("broadcast");
  for (std::size_t hop = 0; hands_on && hop + 1 < n; ++hop)
    builder.copy(at(hop), at(hop + 1), builder.data());
}

}  // namespace syncsim::strategy
