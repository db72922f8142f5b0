#pragma once
// The works that are compared with a peer, by name. Collectives are allreduces of 160 MB of int8
// on GPUs around one switch; all links carry 16 GB/s a direction.

#include <functional>
#include <string>
#include <vector>

#include "bench/flow_graph.h"
#include "sim/schedule/schedule.h"
#include "sim/topology/topology.h"

namespace syncsim::bench {

// A schedule on a machine: emitted, checked and simulated.
struct ScheduleCase {
  std::string name;
  std::function<Topology()> machine;
  std::function<Schedule(const Topology&)> schedule;
};
// Flows that are no collective: simulated only.
struct FlowCase {
  std::string name;
  std::function<FlowGraph()> flows;
};

std::vector<ScheduleCase> schedule_cases();
std::vector<FlowCase> flow_cases();
// Of all cases above. Throws InputError for an unknown name.
FlowGraph flows_of_case(const std::string& name);

// What other works are made of.
Collective allreduce_of(int ranks);
std::vector<std::string> rank_nodes(const Topology& machine);
void add_cable(Topology::Parts& parts, NodeId a, NodeId b, LinkKind kind, double bandwidth,
               Time latency);
ScheduleCase star_case(const std::string& strategy, int ranks);  // "ring/1024"
// A ring of which rank r begins after a random 0 to 2 ms: "ring_skewed/1024".
ScheduleCase skewed_ring_case(int ranks);
Topology star(int gpus);

}  // namespace syncsim::bench
