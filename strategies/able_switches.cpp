#include "strategies/able_switches.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/quote.h"

namespace syncsim::strategy {
namespace {

constexpr int kFar = std::numeric_limits<int>::max();

}  // namespace

void AbleSwitches::require_tree(TreeKind kind, const std::string& root) const {
  const std::string name = (kind == TreeKind::reduce ? "adds up at " : "copies from ") + root;
  input_.findings->of(name, input_.ranks, [&] {
    const NodeId node = topology_.node(root);
    const bool is_rank =
        std::find(input_.ranks.begin(), input_.ranks.end(), node) != input_.ranks.end();
    const std::vector<Route> ways = ways_to(node);
    tree_route(topology_, routes_.resources, kind, {node, is_rank, ways});
    return true;
  });
}

const std::vector<AbleSwitches::Root>& AbleSwitches::roots() const {
  return input_.findings->of("able switches", input_.ranks, [&] { return found_roots(); });
}

std::vector<AbleSwitches::Root> AbleSwitches::found_roots() const {
  constexpr double kParts = 1e6;
  std::vector<Root> roots;
  std::vector<double> widths;
  for (const NodeId node : lowest()) {
    const std::vector<Route> ways = ways_to(node);
    const auto narrowest = std::min_element(
        ways.begin(), ways.end(),
        [](const Route& a, const Route& b) { return a.bottleneck < b.bottleneck; });
    roots.push_back({topology_.nodes()[node].id, 0});
    widths.push_back(narrowest->bottleneck);
  }
  const double widest = *std::max_element(widths.begin(), widths.end());
  for (std::size_t i = 0; i < roots.size(); ++i)
    roots[i].weight = static_cast<int>(std::lround(widths[i] / widest * kParts));
  return roots;
}

bool AbleSwitches::on_nvlink() const {
  const auto leads_there = [&](LinkId link) {
    const Link& self = topology_.links()[link];
    return route_class(self.kind) == 0 && topology_.nodes()[self.to].abilities.reduce;
  };
  const auto links = routes_.links.of(input_.ranks.front());
  return std::any_of(links.begin(), links.end(), leads_there);
}

std::vector<NodeId> AbleSwitches::lowest() const {
  std::vector<NodeId> result;
  int least = kFar;
  for (NodeId node = 0; node < topology_.nodes().size(); ++node) {
    const Abilities& abilities = topology_.nodes()[node].abilities;
    if (!abilities.reduce || !abilities.multicast) continue;
    const int hops = farthest(node);
    if (hops < least) result.clear();
    least = std::min(least, hops);
    if (hops == least && hops < kFar) result.push_back(node);
  }
  if (result.empty())
    throw InputError(
        "no switch of machine " + in_quotes(topology_.name()) +
            " that reduces and multicasts is reached from all ranks",
        "give the switches between them \"abilities\": [\"reduce\", \"multicast\"], or "
        "choose another strategy");
  return result;
}

// Hops to the farthest rank, by nodes that forward. Cables have both directions.
int AbleSwitches::farthest(NodeId node) const {
  std::vector<int> hops(topology_.nodes().size(), kFar);
  std::vector<NodeId> found{node};
  hops[node] = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] != node && !topology_.nodes()[found[i]].forwards) continue;
    for (const LinkId link : routes_.links.of(found[i])) {
      const NodeId far = topology_.links()[link].to;
      if (hops[far] != kFar) continue;
      hops[far] = hops[found[i]] + 1;
      found.push_back(far);
    }
  }
  int most = 0;
  for (const NodeId rank : input_.ranks) most = std::max(most, hops[rank]);
  return most;
}

std::vector<Route> AbleSwitches::ways_to(NodeId root) const {
  std::vector<Route> ways;
  for (const NodeId rank : input_.ranks)
    if (rank != root) ways.push_back(routes_.router.find(rank, root));
  return ways;
}

}  // namespace syncsim::strategy
