// Aggregation on a CPU (Dive into Deep Learning, "Parameter Servers"): all n gradients share its
// uplink, then n copies of the sum share the downlink: 2n M / B.

#include "strategies/hub.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

std::vector<std::string> ids_of(const Topology& topology, const std::vector<NodeId>& nodes) {
  std::vector<std::string> ids;
  for (const NodeId node : nodes) ids.push_back(topology.nodes()[node].id);
  return ids;
}

NodeId aggregating_cpu(const StrategyInput& input) {
  const std::string& chosen = input.parameters.text("cpu");
  const std::vector<NodeId> cpus = input.topology.nodes_of_kind(NodeKind::cpu);
  if (cpus.empty())
    throw InputError("machine \"" + input.topology.name() + "\" has no CPU to aggregate on",
                     "choose another strategy, or add a node of kind \"cpu\"");
  if (chosen == "auto") return cpus.front();
  const std::vector<std::string> ids = ids_of(input.topology, cpus);
  const std::optional<NodeId> node = input.topology.find_node(chosen);
  if (!node) throw unknown_name("CPU", chosen, ids);
  if (input.topology.nodes()[*node].kind != NodeKind::cpu)
    throw InputError("parameter \"cpu\" of strategy \"central_cpu\": \"" + chosen + "\" is no CPU",
                     "name a node of kind \"cpu\", such as \"" + ids.front() + "\"");
  return *node;
}

}  // namespace

void emit_central_cpu(const StrategyInput& input, ScheduleBuilder& builder) {
  const Node& cpu = input.topology.nodes()[aggregating_cpu(input)];
  emit_through_hub(input, builder, builder.helper(cpu.id));
}

}  // namespace syncsim::strategy
