#pragma once
// Which nodes add up for the ranks: the parameters `servers` and `cpus`. A machine is a box
// (sim/topology/boxes.h).

#include <string>
#include <string_view>
#include <vector>

#include "sim/schedule/strategy.h"

namespace syncsim::strategy {

// A strategy's choice of servers among `pool`, the best ones first.
struct ServerChoice {
  std::string_view parameter;     // "auto", a number of the pool's first, or ids and ranges
  std::vector<NodeId> automatic;  // for "auto"
  std::vector<NodeId> pool;
  std::int64_t least = 1;
};
// Throws InputError, which names the parameter, for a number of more than there are, and for names
// that are none of CPUs or GPUs, or given twice.
std::vector<NodeId> chosen_servers(const StrategyInput& input, const ServerChoice& choice);

// The parameter: which machines without ranks add up, by their first CPUs, also none.
std::vector<NodeId> chosen_spare_cpus(const StrategyInput& input, std::string_view parameter);

// The parameter: how much of the data each server has in proportion; equal, or "7,4,4,4".
std::vector<int> shard_weights(const StrategyInput& input, std::string_view parameter,
                               std::size_t servers);

// Ranks by machine, machines in the order of their first ranks.
std::vector<std::vector<ParticipantId>> ranks_by_machine(const StrategyInput& input);
// The parameter: who pushes. ranks: every rank its own gradient; machines: each the sum of its
// ranks'; auto: machines, where there are several.
std::vector<std::vector<ParticipantId>> chosen_workers(const StrategyInput& input,
                                                       std::string_view parameter);
// Of each of those machines the first CPU, or else the first rank.
std::vector<NodeId> own_adding_nodes(const StrategyInput& input,
                                     const std::vector<std::vector<ParticipantId>>& machines);

// Their ids, in few words: "host[0-3]/cpu0, host9/gpu0".
std::string words_for(const std::vector<NodeId>& nodes, const StrategyInput& input);

// The rank on that node, or a helper there.
ParticipantId participant_on(NodeId node, const StrategyInput& input, ScheduleBuilder& builder);

}  // namespace syncsim::strategy
