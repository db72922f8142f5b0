#include "sim/report/bound_report.h"

#include <algorithm>
#include <utility>

namespace syncsim {
namespace {

bool some_reduce(const Topology& machine) {
  return std::any_of(machine.nodes().begin(), machine.nodes().end(),
                     [](const Node& node) { return node.abilities.reduce; });
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
  const std::vector<NodeId> cpus = query.topology.nodes_of_kind(NodeKind::cpu);
  if (some_reduce(query.topology))
    add("the ranks and the switches that reduce", able_nodes(query.topology));
  if (!cpus.empty()) add("the ranks and the CPUs", cpus);
  return report;
}

}  // namespace syncsim
