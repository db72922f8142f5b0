#pragma once
// Machines around one switch, by hand: some with GPUs, some with a CPU alone.

#include <string>

#include "tests/support/machines.h"

namespace syncsim::testing {

struct Cluster {
  int with_gpus = 1;
  int without = 0;
  Bandwidth port = gigabytes(16);  // of a machine
  Bandwidth cpu_port = {};         // of those without GPUs; none: the same
};

// worker0/gpu0, ... and server0/cpu0, ..., each on switch0.
inline Topology cluster(const Cluster& shape) {
  Topology::Parts parts;
  parts.name = "cluster";
  for (int i = 0; i < shape.with_gpus; ++i)
    add_node(parts, "worker" + std::to_string(i) + "/gpu0", NodeKind::gpu);
  for (int i = 0; i < shape.without; ++i)
    add_node(parts, "server" + std::to_string(i) + "/cpu0", NodeKind::cpu);
  const NodeId hub = add_node(parts, "switch0", NodeKind::switch_);
  for (NodeId node = 0; node < hub; ++node) {
    const bool cpu = parts.nodes[node].kind == NodeKind::cpu;
    const bool other = cpu && shape.cpu_port > Bandwidth{};
    add_cable(parts, node, hub, link_of(LinkKind::network, other ? shape.cpu_port : shape.port));
  }
  return Topology(parts);
}

}  // namespace syncsim::testing
