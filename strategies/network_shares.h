#pragma once
// Who adds up which part of the data in the network, or has it to send. The parameter `algorithm`:
//   nvls    every rank its part
//   sharp   the switches where sums for all are formed, in proportion to what reaches them
//   auto    nvls where the first rank has NVLink to a switch that reduces
// Where blocks belong to ranks, these have them; where one rank ends with all, or has it, the root.

#include <cstdint>
#include <vector>

#include "sim/schedule/strategy.h"
#include "strategies/able_switches.h"

namespace syncsim::strategy {

struct NetworkShare {
  ParticipantId at = 0;
  Slice slice;
  std::uint16_t channel = 0;
};

std::vector<NetworkShare> network_shares(const StrategyInput& input, ScheduleBuilder& builder,
                                         const AbleSwitches& switches);

}  // namespace syncsim::strategy
