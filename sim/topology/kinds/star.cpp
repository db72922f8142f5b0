// {"kind": "star", "gpus": n, "link": {...}}: gpu0 to gpu(n-1) around switch0, a cable each; or the
// ports of machines (leaves.h).

#include "sim/topology/kinds/generators.h"
#include "sim/topology/kinds/leaves.h"
#include "sim/topology/link_type.h"

namespace syncsim {

Topology::Parts generate_star(const JsonReader& json, MachineSource& source) {
  allow_keys(json, {"gpus", "link", "machines", "machine", "ports"});
  const Leaves leaves = read_leaves(json, source);
  const Link link = read_link(json);
  MachineSize size = leaves.size();
  ++size.nodes;
  size.links += 2 * leaves.all_ports();
  source.require_room(leaves.at, size);
  Topology::Parts parts;
  parts.name = "star of " + leaves.name();
  parts.description = leaves.text() + " around one switch";
  const std::vector<NodeId> ports = add_leaves(parts, leaves, GpuForwards::no);
  const NodeId hub = add_switches(parts, "switch", 1);
  for (const NodeId port : ports) add_cable(parts, port, hub, link);
  return parts;
}

}  // namespace syncsim
