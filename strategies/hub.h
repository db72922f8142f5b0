#pragma once
// Aggregation through one participant: what central_gpu and central_cpu share.

#include "sim/schedule/strategy.h"

namespace syncsim::strategy {

// Everyone sends its contribution to `hub` (a rank or a helper); the hub then sends every holder
// what it has to end with. By the parameter `order` its transfers are together, or sequential.
void emit_through_hub(const StrategyInput& input, ScheduleBuilder& builder, ParticipantId hub);

}  // namespace syncsim::strategy
