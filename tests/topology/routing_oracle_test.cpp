#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "sim/topology/routing.h"
#include "tests/support/machines.h"

namespace syncsim::routing_oracle_test {
namespace {

// Smaller is better: class, hops, -width, latency.
using Quality = std::tuple<int, int, double, std::int64_t>;

class AllPaths {
 public:
  AllPaths(const Topology& topology, NodeId to) : topology_(topology), to_(to) {}

  std::optional<Quality> best(NodeId from) {
    visited_.assign(topology_.nodes().size(), false);
    extend(from, {0, 0, -std::numeric_limits<double>::infinity(), 0});
    return best_;
  }

 private:
  void extend(NodeId node, const Quality& so_far) {
    if (node == to_) {
      if (!best_ || so_far < *best_) best_ = so_far;
      return;
    }
    const auto& [its_class, hops, width, latency] = so_far;
    if (hops > 0 && !topology_.nodes()[node].forwards) return;
    double narrowed = width;
    if (const auto transit = topology_.nodes()[node].transit_bandwidth; transit && hops > 0)
      narrowed = std::max(width, -transit->bytes_per_second);
    visited_[node] = true;
    for (const Link& link : topology_.links())
      if (link.from == node && !visited_[link.to])
        extend(link.to,
               {std::max(its_class, route_class(link.kind)), hops + 1,
                std::max(narrowed, -link.bandwidth.bytes_per_second), latency + link.latency.ps});
    visited_[node] = false;
  }

  const Topology& topology_;
  NodeId to_;
  std::vector<bool> visited_;
  std::optional<Quality> best_;
};

int below(std::mt19937& random, int bound) {
  return static_cast<int>(random() % static_cast<unsigned>(bound));
}

Topology random_machine(std::mt19937& random) {
  constexpr std::array kKinds = {LinkKind::nvlink, LinkKind::pcie, LinkKind::pcie, LinkKind::socket,
                                 LinkKind::network};
  Topology::Parts parts;
  testing::add_gpus(parts, 3);
  for (int i = 0; i < 5; ++i) testing::add_node(parts, "s" + std::to_string(i), NodeKind::switch_);
  if (below(random, 2) == 0) parts.nodes[3].transit_bandwidth = Bandwidth{2};
  for (NodeId a = 0; a < 8; ++a)
    for (NodeId b = a + 1; b < 8; ++b) {
      if (below(random, 5) < 2) continue;
      const LinkKind kind = kKinds[static_cast<std::size_t>(below(random, 5))];
      Link link = testing::link_of(kind, Bandwidth{1.0 + below(random, 3)});
      link.latency = Time{below(random, 3)};
      testing::add_cable(parts, a, b, link);
    }
  return Topology(parts);
}

// The links lead from one node to the other without a gap.
bool is_path(const Topology& topology, const Route& route, NodeId from, NodeId to) {
  for (const LinkId link : route.links) {
    if (topology.links()[link].from != from) return false;
    from = topology.links()[link].to;
  }
  return from == to;
}

}  // namespace

TEST_CASE("routes are the best of all paths by (class, hops, width, latency)") {
  std::mt19937 random(7);
  for (int machine = 0; machine < 150; ++machine) {
    const Topology topology = random_machine(random);
    const Resources resources(topology, Rates::line);
    Router router(topology, resources);
    for (NodeId from = 0; from < 8; ++from)
      for (NodeId to = 0; to < 8; ++to) {
        if (from == to) continue;
        const std::optional<Quality> best = AllPaths(topology, to).best(from);
        REQUIRE(router.reachable(from, to) == best.has_value());
        if (!best) continue;
        const Route& route = router.route(from, to, static_cast<std::uint32_t>(machine));
        REQUIRE(is_path(topology, route, from, to));
        REQUIRE(Quality(route.route_class, route.hops, -route.bottleneck, route.latency.ps) ==
                *best);
      }
  }
}

}  // namespace syncsim::routing_oracle_test
