// {"kind": "ring", "gpus": n, "link": {...}}: a cable from each gpu to the next, and from the last
// one to gpu0. Two gpus share one cable; one gpu stands alone. The gpus forward, as the chips of
// such machines do: nothing else would join those that are no neighbours. Machines in place of
// gpus: see places.h.

#include "sim/topology/kinds/generators.h"
#include "sim/topology/kinds/places.h"
#include "sim/topology/link_type.h"

namespace syncsim {

Topology::Parts generate_ring(const JsonReader& json, MachineSource& source) {
  allow_keys(json, with_machine_keys({"gpus", "link", "machines"}));
  const Leaves leaves = read_leaves(json, source);
  const Link link = read_link(json);
  auto [parts, first] = make_places(json, source, leaves, leaves.count, link, GpuForwards::yes);
  parts.name = "ring of " + leaves.name();
  parts.description = leaves.text() + " in a ring";
  const auto count = static_cast<NodeId>(leaves.count);
  for (NodeId place = 0; place + 1 < count; ++place)
    add_cable(parts, first + place, first + place + 1, link);
  if (count > 2) add_cable(parts, first + count - 1, first, link);
  return std::move(parts);
}

}  // namespace syncsim
