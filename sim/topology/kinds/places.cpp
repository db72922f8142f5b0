#include "sim/topology/kinds/places.h"

#include "sim/topology/kinds/generators.h"
#include "sim/topology/link_type.h"

namespace syncsim {

std::vector<std::string> with_machine_keys(std::vector<std::string> own) {
  own.insert(own.end(), {"machine", "ports", "host_link"});
  return own;
}

Places make_places(const JsonReader& json, const MachineSource& source, const Leaves& leaves,
                   std::uint64_t cables, const Link& link, GpuForwards forwards) {
  if (!leaves.machine && json.has("host_link"))
    throw json.required("host_link")
        .error("gpus are joined to each other, not to switches", R"(add a "machine")");
  const Link host_link = read_link(json, "host_link", link);
  MachineSize size = leaves.size();
  size.links += 2 * cables;
  if (leaves.machine) {
    size.nodes += leaves.count;
    size.links += 2 * leaves.all_ports();
  }
  source.require_room(leaves.at, size);
  Places places;
  const std::vector<NodeId> ports = add_leaves(places.parts, leaves, forwards);
  if (!leaves.machine) return places;
  places.first = add_switches(places.parts, "router", leaves.count);
  for (std::size_t i = 0; i < ports.size(); ++i)
    add_cable(places.parts, ports[i], places.first + static_cast<NodeId>(i / leaves.ports.size()),
              host_link);
  return places;
}

}  // namespace syncsim
