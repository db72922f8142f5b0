#include "sim/topology/import/unsaid.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/topology/resources.h"
#include "sim/topology/routing.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostRanksLooked = 32;

std::optional<NodeId> free_cpu(const Topology& machine, const Route& route) {
  if (route.links.empty()) return std::nullopt;
  const NodeId end = machine.links()[route.links.back()].to;
  for (const LinkId link : route.links) {
    const NodeId passed = machine.links()[link].to;
    const Node& node = machine.nodes()[passed];
    if (passed != end && node.kind == NodeKind::cpu && !node.transit_bandwidth) return passed;
  }
  return std::nullopt;
}

// The first gpus that reach each other through a cpu without a limit.
std::optional<std::string> free_transit(const Topology& machine) {
  const Resources resources(machine, Rates::line);
  Router router(machine, resources);
  const std::size_t count = std::min(machine.ranks().size(), kMostRanksLooked);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = i + 1; k < count; ++k) {
      const NodeId from = machine.ranks()[i];
      const NodeId to = machine.ranks()[k];
      if (const auto cpu = free_cpu(machine, router.route(from, to)))
        return fmt::format(
            "{0} and {1} reach each other through {2}, and nothing says what it can pass on: took "
            R"(no limit; set one with --edit "node:{2} transit_bandwidth=..." or "node:cpu* ...")",
            machine.nodes()[from].id, machine.nodes()[to].id, machine.nodes()[*cpu].id);
    }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> unsaid_figures(const Topology& machine) {
  std::vector<std::string> lines;
  const std::vector<Link>& links = machine.links();
  if (std::all_of(links.begin(), links.end(),
                  [](const Link& link) { return link.latency.ps == 0; }))
    lines.emplace_back("says no latencies, so all are 0");
  if (const auto transit = free_transit(machine)) lines.push_back(*transit);
  return lines;
}

}  // namespace syncsim
