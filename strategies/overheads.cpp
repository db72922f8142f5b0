#include "strategies/overheads.h"

#include <algorithm>
#include <limits>

#include "strategies/line_routes.h"

namespace syncsim::strategy {
namespace {

bool nothing_costs(const StrategyInput& input) {
  return input.overhead.ps == 0 && input.findings->of("links cost nothing", {}, [&] {
    const auto& links = input.topology.links();
    return std::all_of(links.begin(), links.end(),
                       [](const Link& link) { return link.overhead.ps == 0; });
  });
}

// Of the hops; no overhead and infinity where they are none.
struct Worst {
  Time overhead = {};
  double rate = std::numeric_limits<double>::infinity();
};

Worst worst_of(const StrategyInput& input, const std::vector<NodeHop>& hops) {
  Worst worst;
  if (hops.empty() || nothing_costs(input)) return worst;
  Router& router = line_routes(input).router;
  for (const NodeHop& hop : hops) {
    const Route& route = router.route(hop.from, hop.to);
    worst.overhead = std::max(worst.overhead, input.overhead + route.overhead);
    worst.rate = std::min(worst.rate, route.bottleneck);
  }
  return worst;
}

}  // namespace

Time largest_overhead(const StrategyInput& input, const std::vector<NodeHop>& hops) {
  return worst_of(input, hops).overhead;
}

double overhead_bytes(const StrategyInput& input, const std::vector<NodeHop>& hops) {
  const auto [overhead, rate] = worst_of(input, hops);
  return overhead.ps > 0 && rate < std::numeric_limits<double>::infinity()
             ? seconds(overhead) * rate
             : 0;
}

double overhead_bytes(const StrategyInput& input, const std::vector<NodeHop>& hops, double rate) {
  return seconds(largest_overhead(input, hops)) * rate;
}

std::vector<NodeHop> hops_along(const std::vector<NodeId>& nodes) {
  std::vector<NodeHop> hops;
  for (std::size_t i = 1; i < nodes.size(); ++i) hops.push_back({nodes[i - 1], nodes[i]});
  return hops;
}

}  // namespace syncsim::strategy
