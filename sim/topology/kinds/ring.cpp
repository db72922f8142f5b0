// {"kind": "ring", "gpus": n, "link": {...}}: a cable from each gpu to the next, and from the last
// one to gpu0. Two gpus share one cable; one gpu stands alone. The gpus forward, as the chips of
// such machines do: nothing else would join those that are no neighbours.

#include "sim/topology/kinds/generators.h"
#include "sim/topology/link_type.h"

namespace syncsim {

Topology::Parts generate_ring(const JsonReader& json, MachineSource& source) {
  allow_keys(json, {"gpus", "link"});
  const std::int64_t gpus = read_gpus(json, source);
  const Link link =
      read_link_type(json.required("link", R"({"kind": "nvlink", "bandwidth": "25 GB/s"})"));
  Topology::Parts parts;
  parts.name = "ring of " + std::to_string(gpus);
  parts.description = std::to_string(gpus) + " gpus in a ring";
  Node gpu;
  gpu.forwards = true;
  add_gpus(parts, gpus, gpu);
  const auto count = static_cast<NodeId>(gpus);
  for (NodeId rank = 0; rank + 1 < count; ++rank) add_cable(parts, rank, rank + 1, link);
  if (count > 2) add_cable(parts, count - 1, 0, link);
  return parts;
}

}  // namespace syncsim
