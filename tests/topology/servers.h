#pragma once
// Servers and clusters for tests of the routing policy.

#include <string>
#include <utility>

#include "tests/support/machines.h"

namespace syncsim::testing {

inline Link cable(LinkKind kind, double figure) { return link_of(kind, gigabytes(figure)); }

// Two sockets; below each a plx with two gpus and a nic, and a third gpu at the cpu itself.
inline Topology::Parts server(const std::string& prefix = "", Topology::Parts parts = {}) {
  NodeId cpus[2];
  for (NodeId socket = 0; socket < 2; ++socket) {
    const std::string number = std::to_string(socket);
    NodeId gpus[3];
    for (NodeId i = 0; i < 3; ++i)
      gpus[i] = add_node(parts, prefix + "gpu" + std::to_string(3 * socket + i), NodeKind::gpu);
    const NodeId plx = add_node(parts, prefix + "plx" + number, NodeKind::switch_);
    cpus[socket] = add_node(parts, prefix + "cpu" + number, NodeKind::cpu);
    const NodeId nic = add_node(parts, prefix + "nic" + number, NodeKind::nic);
    for (const NodeId node : {gpus[0], gpus[1], nic, cpus[socket]})
      add_cable(parts, node, plx, cable(LinkKind::pcie, 16));
    add_cable(parts, gpus[2], cpus[socket], cable(LinkKind::pcie, 16));
    parts.nodes[cpus[socket]].transit_bandwidth = gigabytes(20);
  }
  add_cable(parts, cpus[0], cpus[1], cable(LinkKind::socket, 10));
  return parts;
}

// Two such servers whose nics are joined by rail, the rails by a spine.
inline Topology::Parts two_servers() {
  Topology::Parts parts = server("b/", server("a/"));
  const NodeId spine = add_node(parts, "spine", NodeKind::switch_);
  for (const char* number : {"0", "1"}) {
    const NodeId rail = add_node(parts, std::string("rail") + number, NodeKind::switch_);
    add_cable(parts, rail, spine, cable(LinkKind::network, 25));
    for (NodeId node = 0; node < spine; ++node)
      if (parts.nodes[node].id.ends_with(std::string("nic") + number))
        add_cable(parts, node, rail, cable(LinkKind::network, 25));
  }
  return parts;
}

inline Topology::Parts under(Topology::Parts parts, const RoutingPolicy& policy) {
  parts.routing = policy;
  return parts;
}

inline RoutingPolicy limited(PeerLevel level) {
  RoutingPolicy policy;
  policy.p2p = level;
  return policy;
}

// Two boxes of two switches with two gpus and two nics each; the nics of one number share a rail,
// the rails two spines.
inline Topology::Parts two_nics_a_switch() {
  Topology::Parts parts;
  for (const std::string box : {"a/", "b/"}) {
    for (int i = 0; i < 4; ++i) add_node(parts, box + "gpu" + std::to_string(i), NodeKind::gpu);
    for (int i = 0; i < 4; ++i) add_node(parts, box + "nic" + std::to_string(i), NodeKind::nic);
    for (NodeId plx = 0; plx < 2; ++plx) {
      const NodeId hub = add_node(parts, box + "plx" + std::to_string(plx), NodeKind::switch_);
      for (const NodeId device : {2 * plx, 2 * plx + 1, 2 * plx + 4, 2 * plx + 5})
        add_cable(parts, hub - 8 - plx + device, hub, cable(LinkKind::pcie, 32));
    }
  }
  const NodeId spines = add_node(parts, "spine0", NodeKind::switch_);
  add_node(parts, "spine1", NodeKind::switch_);
  for (const char* number : {"0", "1", "2", "3"}) {
    const NodeId rail = add_node(parts, std::string("rail") + number, NodeKind::switch_);
    for (const NodeId spine : {spines, spines + 1})
      add_cable(parts, rail, spine, cable(LinkKind::network, 25));
    for (NodeId node = 0; node < spines; ++node)
      if (parts.nodes[node].id.ends_with(std::string("nic") + number))
        add_cable(parts, node, rail, cable(LinkKind::network, 25));
  }
  return parts;
}

}  // namespace syncsim::testing
