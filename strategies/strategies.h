#pragma once
// The emit function of every strategy; strategies/registry.cpp lists them with their parameters.

#include "sim/schedule/strategy.h"

namespace syncsim::strategy {

void emit_binary_tree(const StrategyInput& input, ScheduleBuilder& builder);
void emit_binomial_tree(const StrategyInput& input, ScheduleBuilder& builder);
void emit_bruck(const StrategyInput& input, ScheduleBuilder& builder);
void emit_byteps(const StrategyInput& input, ScheduleBuilder& builder);
void emit_central_cpu(const StrategyInput& input, ScheduleBuilder& builder);
void emit_central_gpu(const StrategyInput& input, ScheduleBuilder& builder);
void emit_chain(const StrategyInput& input, ScheduleBuilder& builder);
void emit_distributed(const StrategyInput& input, ScheduleBuilder& builder);
void emit_double_binary_tree(const StrategyInput& input, ScheduleBuilder& builder);
void emit_halving_doubling(const StrategyInput& input, ScheduleBuilder& builder);
void emit_hierarchical(const StrategyInput& input, ScheduleBuilder& builder);
void emit_in_network(const StrategyInput& input, ScheduleBuilder& builder);
void emit_naive_ring(const StrategyInput& input, ScheduleBuilder& builder);
void emit_node_trees(const StrategyInput& input, ScheduleBuilder& builder);
void emit_one_shot(const StrategyInput& input, ScheduleBuilder& builder);
void emit_packed_trees(const StrategyInput& input, ScheduleBuilder& builder);
void emit_parameter_server(const StrategyInput& input, ScheduleBuilder& builder);
void emit_recursive_doubling(const StrategyInput& input, ScheduleBuilder& builder);
void emit_ring(const StrategyInput& input, ScheduleBuilder& builder);
void emit_scatter_allgather(const StrategyInput& input, ScheduleBuilder& builder);
void emit_swing(const StrategyInput& input, ScheduleBuilder& builder);
void emit_torus_rings(const StrategyInput& input, ScheduleBuilder& builder);

}  // namespace syncsim::strategy
