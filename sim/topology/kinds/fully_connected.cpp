// {"kind": "fully_connected", "gpus": n, "link": {...}}: a cable between every two gpus, which need
// not forward. Machines in place of gpus: see places.h.

#include "sim/topology/kinds/generators.h"
#include "sim/topology/kinds/places.h"
#include "sim/topology/link_type.h"

namespace syncsim {

Topology::Parts generate_fully_connected(const JsonReader& json, MachineSource& source) {
  allow_keys(json, with_machine_keys({"gpus", "link", "machines"}));
  const Leaves leaves = read_leaves(json, source);
  const Link link = read_link(json);
  auto [parts, first] = make_places(json, source, leaves, leaves.count * (leaves.count - 1) / 2,
                                    link, GpuForwards::no);
  parts.name = "fully_connected of " + leaves.name();
  parts.description = leaves.text() + ", each joined to each";
  const auto count = static_cast<NodeId>(leaves.count);
  for (NodeId one = 0; one < count; ++one)
    for (NodeId other = one + 1; other < count; ++other)
      add_cable(parts, first + one, first + other, link);
  return std::move(parts);
}

}  // namespace syncsim
