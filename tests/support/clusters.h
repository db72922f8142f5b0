#pragma once
// Machines around one switch: some with GPUs, some with CPUs alone.

#include <string>

#include "tests/support/machines.h"
#include "tests/support/runs.h"

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

// Boxes of 3, 1 and 2 GPUs, of two CPUs, one and none; and two boxes without GPUs.
inline Topology uneven_boxes() {
  return written_machine(R"({
    "name": "uneven",
    "link_types": {"net": {"kind": "network", "bandwidth": "10 GB/s", "latency": "1 us"}},
    "instances": [
      {"prefix": "a/", "topology": {"name": "a",
        "link_types": {"pcie": {"kind": "pcie", "bandwidth": "16 GB/s", "overhead": "300 ns"}},
        "nodes": [{"id": "gpu[0-2]", "kind": "gpu"}, {"id": "cpu[0-1]", "kind": "cpu"},
                  {"id": "nic0", "kind": "nic"}],
        "links": [{"between": ["gpu[0-2]", "cpu0"], "type": "pcie"},
                  {"between": ["cpu1", "cpu0"], "type": "pcie"},
                  {"between": ["nic0", "cpu0"], "type": "pcie"}]}},
      {"prefix": "b/", "topology": {"name": "b",
        "link_types": {"pcie": {"kind": "pcie", "bandwidth": "16 GB/s", "overhead": "300 ns"}},
        "nodes": [{"id": "gpu0", "kind": "gpu"}, {"id": "cpu0", "kind": "cpu"},
                  {"id": "nic0", "kind": "nic"}],
        "links": [{"between": ["gpu0", "cpu0"], "type": "pcie"},
                  {"between": ["nic0", "cpu0"], "type": "pcie"}]}},
      {"prefix": "c/", "topology": {"name": "c",
        "link_types": {"pcie": {"kind": "pcie", "bandwidth": "16 GB/s", "overhead": "300 ns"}},
        "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "plx0", "kind": "switch"},
                  {"id": "nic0", "kind": "nic"}],
        "links": [{"between": ["gpu[0-1]", "plx0"], "type": "pcie"},
                  {"between": ["nic0", "plx0"], "type": "pcie"}]}},
      {"prefix": "spare[0-1]/", "topology": {"name": "spare",
        "link_types": {"pcie": {"kind": "pcie", "bandwidth": "16 GB/s"}},
        "nodes": [{"id": "cpu0", "kind": "cpu"}, {"id": "nic0", "kind": "nic"}],
        "links": [{"between": ["nic0", "cpu0"], "type": "pcie"}]}}],
    "nodes": [{"id": "switch0", "kind": "switch"}],
    "links": [{"between": ["a/nic0", "switch0"], "type": "net"},
              {"between": ["b/nic0", "switch0"], "type": "net"},
              {"between": ["c/nic0", "switch0"], "type": "net"},
              {"between": ["spare[0-1]/nic0", "switch0"], "type": "net"}]})");
}

}  // namespace syncsim::testing
