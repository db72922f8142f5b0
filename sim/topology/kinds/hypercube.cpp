// {"kind": "hypercube", "dimension": d, "link": {...}}: 2^d gpus; a cable joins those whose numbers
// differ in one bit. The gpus forward. Machines in place of gpus: see places.h.

#include "sim/topology/kinds/generators.h"
#include "sim/topology/kinds/places.h"
#include "sim/topology/link_type.h"

namespace syncsim {

Topology::Parts generate_hypercube(const JsonReader& json, MachineSource& source) {
  constexpr std::int64_t kMostDimensions = 19;  // half a million gpus
  allow_keys(json, with_machine_keys({"dimension", "link"}));
  const JsonReader field = json.required("dimension", "3");
  const auto dimension = static_cast<std::uint32_t>(field.integer(1, kMostDimensions));
  const NodeId count = NodeId{1} << dimension;
  const Leaves leaves = read_leaves_of(json, field, count, source);
  const Link link = read_link(json);
  auto [parts, first] = make_places(json, source, leaves, std::uint64_t{count} * dimension / 2,
                                    link, GpuForwards::yes);
  parts.name = "hypercube of " + leaves.name();
  parts.description =
      leaves.text() + " in a hypercube of " + std::to_string(dimension) + " dimensions";
  for (NodeId place = 0; place < count; ++place)
    for (NodeId bit = 1; bit < count; bit *= 2)
      if ((place & bit) == 0) add_cable(parts, first + place, first + (place | bit), link);
  return std::move(parts);
}

}  // namespace syncsim
