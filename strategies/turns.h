#pragma once
// One transfer at a time at a rank's port, as the textbooks reckon (a + n b a step with one port);
// otherwise transfers that could start together do, and share the port.

#include <vector>

#include "sim/schedule/strategy.h"

namespace syncsim::strategy {

// The parameter `order`: together, or sequential.
bool one_at_a_time(const StrategyInput& input);

// Where active, each transfer that a rank takes begins when the one that it took before has ended.
class Turns {
 public:
  Turns(ScheduleBuilder& builder, bool active) : builder_(builder), active_(active) {}
  void take(ParticipantId rank, OpId transfer);

 private:
  static constexpr OpId kNone = ~OpId{0};
  ScheduleBuilder& builder_;
  bool active_;
  std::vector<OpId> last_;  // by rank
};

}  // namespace syncsim::strategy
