#pragma once
// A machine with its router, and small machines of two gpus to route between.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/topology/resources.h"
#include "sim/topology/routing.h"
#include "sim/topology/topology.h"
#include "tests/support/machines.h"

namespace syncsim::testing {

// A machine with its router. The members keep references to each other: it stays where it is.
struct Routed {
  explicit Routed(const Topology::Parts& parts, std::uint32_t seed = 0, Rates rates = Rates::line)
      : topology(parts), resources(topology, rates), router(topology, resources, seed) {}
  Routed(const Routed&) = delete;
  Routed& operator=(const Routed&) = delete;

  const Route& route(const std::string& from, const std::string& to, std::uint32_t channel = 0) {
    return router.route(topology.node(from), topology.node(to), channel);
  }
  std::vector<std::string> links(const Route& route) const {
    std::vector<std::string> names;
    for (const LinkId link : route.links) names.push_back(topology.links()[link].name);
    return names;
  }
  // The coefficient of the named resource; zero when it is not used.
  double coefficient(const Route& route, const std::string& name) const {
    for (const ResourceUse& use : route.uses)
      if (resources.all()[use.resource].name == name) return use.coefficient;
    return 0;
  }

  Topology topology;
  Resources resources;
  Router router;
};

using Names = std::vector<std::string>;

inline Link timed(Link link, std::int64_t latency) {
  link.latency = Time{latency};
  return link;
}

inline Link striped(Link link) {
  link.spread = Spread::stripe;
  return link;
}

// gpu0 and gpu1, to be joined through the switches s0, s1, ... that follow.
inline Topology::Parts two_gpus(int switches) {
  Topology::Parts parts;
  testing::add_gpus(parts, 2);
  for (int i = 0; i < switches; ++i) add_node(parts, "s" + std::to_string(i), NodeKind::switch_);
  return parts;
}

inline NodeId s(NodeId number) { return 2 + number; }

inline Link pcie() { return link_of(LinkKind::pcie, {16}); }

// gpu0 and gpu1 joined by `ways` parallel switches.
inline Topology::Parts parallel_ways(int ways, const Link& link) {
  Topology::Parts parts = two_gpus(ways);
  for (NodeId way = 0; way < static_cast<NodeId>(ways); ++way) {
    add_cable(parts, 0, s(way), link);
    add_cable(parts, s(way), 1, link);
  }
  return parts;
}

}  // namespace syncsim::testing
