#include "strategies/turns.h"

namespace syncsim::strategy {

bool one_at_a_time(const StrategyInput& input) {
  return input.parameters.choice("order", {"together", "sequential"}) == "sequential";
}

void Turns::take(ParticipantId rank, OpId transfer) {
  if (!active_) return;
  if (rank >= last_.size()) last_.resize(rank + std::size_t{1}, kNone);
  if (last_[rank] != kNone) builder_.edge(last_[rank], transfer);
  last_[rank] = transfer;
}

}  // namespace syncsim::strategy
