#include "sim/report/bound_report.h"

#include <utility>

namespace syncsim {
namespace {

std::vector<NodeId> reducing_switches(const Topology& machine) {
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < machine.nodes().size(); ++node)
    if (machine.nodes()[node].abilities.reduce) nodes.push_back(node);
  return nodes;
}

}  // namespace

BoundReport bound_report(const BoundQuery& query, std::vector<std::string> edits) {
  BoundReport report{query.topology.name(), std::move(edits), query.collective, query.rates, {}};
  const auto add = [&](std::string adding_up, const std::vector<NodeId>& helpers) {
    BoundQuery with = query;
    with.helpers = helpers;
    report.sets.push_back({std::move(adding_up), lower_bounds(with)});
  };
  add("the ranks", {});
  if (!sums_everywhere(query.collective.kind) || query.ranks.size() < 2) return report;
  const std::vector<NodeId> switches = reducing_switches(query.topology);
  const std::vector<NodeId> cpus = query.topology.nodes_of_kind(NodeKind::cpu);
  if (!switches.empty()) add("the ranks and the switches that reduce", switches);
  if (!cpus.empty()) add("the ranks and the CPUs", cpus);
  return report;
}

}  // namespace syncsim
