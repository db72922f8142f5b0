#pragma once
// The emit function of every strategy; strategies/registry.cpp lists them with their parameters.

#include "sim/schedule/strategy.h"

namespace syncsim::strategy {

void emit_central_cpu(const StrategyInput& input, ScheduleBuilder& builder);
void emit_central_gpu(const StrategyInput& input, ScheduleBuilder& builder);
void emit_distributed(const StrategyInput& input, ScheduleBuilder& builder);
void emit_packed_trees(const StrategyInput& input, ScheduleBuilder& builder);
void emit_ring(const StrategyInput& input, ScheduleBuilder& builder);

}  // namespace syncsim::strategy
