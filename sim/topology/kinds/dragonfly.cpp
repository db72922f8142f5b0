// {"kind": "dragonfly", "groups": g, "routers": a, "gpus": p, "link": {...}, "local": {...},
//  "global": {...}}: g groups of a routers, each with p gpus (or "machines", see leaves.h) on it by
// "link". The routers of a group are all joined by "local" (default: "link"); every two groups have
// one "global" cable (default: "local"). Group x has routers router(xa) to router(xa + a - 1); its
// cable to group (x + d) mod g, d = 1 .. g-1, leaves from its router (d - 1) mod a. Leaves are
// numbered router by router.

#include <fmt/format.h>

#include "sim/topology/kinds/generators.h"
#include "sim/topology/kinds/leaves.h"
#include "sim/topology/link_type.h"

namespace syncsim {
namespace {

struct Dragonfly {
  std::uint64_t groups;
  std::uint64_t routers;  // a group

  std::uint64_t all_routers() const { return groups * routers; }
  std::uint64_t cables() const {
    return groups * (routers * (routers - 1) / 2) + groups * (groups - 1) / 2;
  }
  // Its number among all from which a group's cable to another leaves.
  NodeId gateway(std::uint64_t group, std::uint64_t other) const {
    const std::uint64_t distance = (other + groups - group) % groups;
    return static_cast<NodeId>(group * routers + (distance - 1) % routers);
  }
};

// Also refuses numbers whose products are beyond all sizes.
Leaves read_dragonfly_leaves(const JsonReader& json, const Dragonfly& shape,
                             MachineSource& source) {
  Leaves leaves = read_leaves(json, source);
  const std::uint64_t each = leaves.count;
  leaves.count = capped_product(each, shape.all_routers());
  if (leaves.count > kMostLeaves)
    throw leaves.at.error(fmt::format("{} routers with {} each are more than {}",
                                      shape.all_routers(), each, kMostLeaves),
                          "write smaller numbers");
  MachineSize size = leaves.size();
  size.nodes += shape.all_routers();
  size.links += 2 * (leaves.all_ports() + shape.cables());
  source.require_room(leaves.at, size);
  return leaves;
}

void join_routers(Topology::Parts& parts, NodeId first, const Dragonfly& shape, const Link& local,
                  const Link& global) {
  const auto routers = static_cast<NodeId>(shape.routers);
  for (NodeId group = 0; group < shape.groups; ++group)
    for (NodeId one = 0; one < routers; ++one)
      for (NodeId other = one + 1; other < routers; ++other)
        add_cable(parts, first + group * routers + one, first + group * routers + other, local);
  for (NodeId one = 0; one < shape.groups; ++one)
    for (NodeId other = one + 1; other < shape.groups; ++other)
      add_cable(parts, first + shape.gateway(one, other), first + shape.gateway(other, one),
                global);
}

}  // namespace

Topology::Parts generate_dragonfly(const JsonReader& json, MachineSource& source) {
  allow_keys(json, {"groups", "routers", "gpus", "link", "local", "global", "machines", "machine",
                    "ports"});
  const Dragonfly shape{read_count(json.required("groups", "9")),
                        read_count(json.required("routers", "4"))};
  const Leaves leaves = read_dragonfly_leaves(json, shape, source);
  const Link link = read_link(json);
  const Link local = read_link(json, "local", link);
  const Link global = read_link(json, "global", local);
  Topology::Parts parts;
  parts.name = "dragonfly of " + leaves.name();
  parts.description = fmt::format("{} in a dragonfly of {} groups of {} routers", leaves.text(),
                                  shape.groups, shape.routers);
  const std::vector<NodeId> ports = add_leaves(parts, leaves, GpuForwards::no);
  const NodeId first = add_switches(parts, "router", shape.all_routers());
  const std::uint64_t ports_each = ports.size() / shape.all_routers();
  for (std::size_t i = 0; i < ports.size(); ++i)
    add_cable(parts, ports[i], first + static_cast<NodeId>(i / ports_each), link);
  join_routers(parts, first, shape, local, global);
  return parts;
}

}  // namespace syncsim
