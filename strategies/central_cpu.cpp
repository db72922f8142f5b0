// Aggregation on a CPU (Dive into Deep Learning, "Parameter Servers"): all n gradients share its
// uplink, then n copies of the sum share the downlink: 2n M / B.

#include "sim/base/quote.h"
#include "strategies/hub.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

std::vector<std::string> ids_of(const Topology& topology, const std::vector<NodeId>& nodes) {
  std::vector<std::string> ids;
  for (const NodeId node : nodes) ids.push_back(topology.nodes()[node].id);
  return ids;
}

// Throws InputError without a place.
NodeId cpu_named(const Topology& topology, const std::string& name,
                 const std::vector<NodeId>& cpus) {
  const std::vector<std::string> ids = ids_of(topology, cpus);
  const std::optional<NodeId> node = topology.find_node(name);
  if (!node) throw unknown_name("CPU", name, ids);
  if (topology.nodes()[*node].kind != NodeKind::cpu)
    throw InputError(in_quotes(name) + " is no CPU",
                     "name a node of kind \"cpu\", such as \"" + ids.front() + "\"");
  return *node;
}

NodeId aggregating_cpu(const StrategyInput& input) {
  const std::vector<NodeId> cpus = input.topology.nodes_of_kind(NodeKind::cpu);
  if (cpus.empty())
    throw InputError("machine \"" + input.topology.name() + "\" has no CPU to aggregate on",
                     "choose another strategy, or add a node of kind \"cpu\"");
  return input.parameters.read("cpu", [&](const std::string& text) {
    return text == "auto" ? cpus.front() : cpu_named(input.topology, text, cpus);
  });
}

}  // namespace

void emit_central_cpu(const StrategyInput& input, ScheduleBuilder& builder) {
  const Node& cpu = input.topology.nodes()[aggregating_cpu(input)];
  emit_through_hub(input, builder, builder.helper(cpu.id));
}

}  // namespace syncsim::strategy
