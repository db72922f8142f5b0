// {"kind": "star", "gpus": n, "link": {...}}: gpu0 to gpu(n-1) around switch0, a cable each.

#include "sim/topology/kinds/generators.h"
#include "sim/topology/link_type.h"

namespace syncsim {

Topology::Parts generate_star(const JsonReader& json, MachineSource& source) {
  allow_keys(json, {"gpus", "link"});
  const std::int64_t gpus = read_gpus(json, source);
  const Link link =
      read_link_type(json.required("link", R"({"kind": "nvlink", "bandwidth": "25 GB/s"})"));
  Topology::Parts parts;
  parts.name = "star of " + std::to_string(gpus);
  parts.description = std::to_string(gpus) + " gpus around one switch";
  Node gpu;
  gpu.forwards = false;
  add_gpus(parts, gpus, gpu);
  Node middle;
  middle.id = "switch0";
  middle.kind = NodeKind::switch_;
  const auto hub = static_cast<NodeId>(parts.nodes.size());
  parts.nodes.push_back(middle);
  for (NodeId rank = 0; rank < hub; ++rank) add_cable(parts, rank, hub, link);
  return parts;
}

}  // namespace syncsim
