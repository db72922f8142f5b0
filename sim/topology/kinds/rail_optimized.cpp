// {"kind": "rail_optimized", "machines": n, "machine": "dgx_a100", "link": {...}}: port i of every
// machine (leaves.h) is on rail i mod R, R = "rails" (default: the ports of a machine), by "link".
// A rail is one switch, rail0 and so on; or, where "leaf_ports" is less than its ports, several,
// rail0_leaf0, rail0_leaf1 and so on, filled machine by machine. Above all of them are "spines"
// spines, wired by "uplink" and "oversubscription" as in a fat tree of 2 levels (fat_tree.cpp).
// "spines": 0 leaves them out, where every rail is one switch: then only what is within machines
// leads from rail to rail, over PCIe or by "routing": {"relays": ["pxn"]}.

#include <fmt/format.h>

#include "sim/topology/kinds/clos.h"
#include "sim/topology/kinds/generators.h"
#include "sim/topology/kinds/leaves.h"
#include "sim/topology/link_type.h"

namespace syncsim {
namespace {

struct Rails {
  Leaves machines;
  Link link = {};
  Link uplink = {};
  std::uint64_t rails = 0;
  std::uint64_t rail_ports = 0;  // of each
  std::uint64_t leaf_ports = 0;
  Level spines = {};  // above a leaf

  std::uint64_t leaves_each() const { return rail_ports / leaf_ports; }
  std::uint64_t leaves() const { return rails * leaves_each(); }
};

void read_rails(const JsonReader& json, Rails& network) {
  const std::uint64_t ports = network.machines.ports.size();
  const auto rails = json.optional("rails");
  network.rails = rails ? read_count(*rails) : ports;
  const JsonReader field = field_or_all(json, "rails");
  const std::uint64_t each = divide(field, ports, "ports of a machine", network.rails,
                                    fmt::format("{} rails evenly", network.rails));
  network.rail_ports = network.machines.count * each;
  const auto leaf_ports = json.optional("leaf_ports");
  network.leaf_ports = leaf_ports ? read_count(*leaf_ports) : network.rail_ports;
  divide(field_or_all(json, "leaf_ports"), network.rail_ports, "ports of a rail",
         network.leaf_ports, fmt::format("leaves of {}", network.leaf_ports));
}

void read_spines(const JsonReader& json, Rails& network) {
  network.uplink = read_link(json, "uplink", network.link);
  const std::vector<double> ratios = read_oversubscription(json, 1);
  const auto spines = json.optional("spines");
  if (spines && spines->integer() == 0) {
    if (network.leaves_each() == 1) return;
    throw spines->error(fmt::format("nothing joins the {} leaves of a rail", network.leaves_each()),
                        R"(write "spines" above 0, or leave "leaf_ports" out)");
  }
  const double down =
      static_cast<double>(network.leaf_ports) * network.link.bandwidth.bytes_per_second;
  const std::uint64_t uplinks = count_uplinks(field_or_all(json, "oversubscription"),
                                              {down, ratios[0], network.uplink, "leaf"});
  network.spines = read_level(json, "spines", uplinks, 1);
}

void require_room(const MachineSource& source, const Rails& network) {
  MachineSize size = network.machines.size();
  size.nodes += network.leaves() + network.spines.switches;
  size.links += 2 * (network.machines.all_ports() + network.leaves() * network.spines.switches);
  source.require_room(network.machines.at, size);
}

Rails read_network(const JsonReader& json, MachineSource& source) {
  allow_keys(json, {"machines", "machine", "ports", "rails", "leaf_ports", "spines",
                    "oversubscription", "link", "uplink"});
  Rails network{.machines = read_machines(json, source), .link = read_link(json)};
  read_rails(json, network);
  read_spines(json, network);
  require_room(source, network);
  return network;
}

NodeId add_rails(Topology::Parts& parts, const Rails& network) {
  if (network.leaves_each() == 1) return add_switches(parts, "rail", network.rails);
  const auto first = static_cast<NodeId>(parts.nodes.size());
  for (std::uint64_t rail = 0; rail < network.rails; ++rail)
    add_switches(parts, fmt::format("rail{}_leaf", rail), network.leaves_each());
  return first;
}

// Of a port of a machine, among all leaves.
std::uint64_t leaf_of(const Rails& network, std::uint64_t machine, std::uint64_t port) {
  const std::uint64_t each = network.machines.ports.size() / network.rails;
  const std::uint64_t in_rail = machine * each + port / network.rails;
  return port % network.rails * network.leaves_each() + in_rail / network.leaf_ports;
}

}  // namespace

Topology::Parts generate_rail_optimized(const JsonReader& json, MachineSource& source) {
  const Rails network = read_network(json, source);
  Topology::Parts parts;
  parts.name = "rail_optimized of " + network.machines.name();
  parts.description = fmt::format("{} on {} rails, {} leaves, {} spines", network.machines.text(),
                                  network.rails, network.leaves(), network.spines.switches);
  const std::vector<NodeId> ports = add_leaves(parts, network.machines, GpuForwards::no);
  const NodeId leaf = add_rails(parts, network);
  const NodeId spine = add_switches(parts, "spine", network.spines.switches);
  const std::uint64_t each = network.machines.ports.size();
  for (std::uint64_t i = 0; i < ports.size(); ++i)
    add_cable(parts, ports[i], leaf + static_cast<NodeId>(leaf_of(network, i / each, i % each)),
              network.link);
  if (network.spines.switches > 0)
    join_level(parts, leaf, network.leaves(), spine, network.spines, network.uplink);
  return parts;
}

}  // namespace syncsim
