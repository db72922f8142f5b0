#pragma once
// Machines built by hand, for tests that must not depend on files.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "sim/topology/link_type.h"
#include "sim/topology/topology.h"

namespace syncsim::testing {

inline Bandwidth gigabytes(double figure) { return {figure * 1e9}; }

// Gpus do not forward and become ranks.
inline NodeId add_node(Topology::Parts& parts, std::string id, NodeKind kind) {
  const auto node = static_cast<NodeId>(parts.nodes.size());
  parts.nodes.push_back({std::move(id), kind, kind != NodeKind::gpu, {}, {}, 1, {}, {}});
  if (kind == NodeKind::gpu) parts.ranks.push_back(node);
  return node;
}

inline std::vector<std::string> rank_names(const Topology& topology) {
  std::vector<std::string> names;
  for (const NodeId rank : topology.ranks()) names.push_back(topology.nodes()[rank].id);
  return names;
}

// gpu0 to gpu(count-1), as nodes 0 to count-1 of a machine without nodes.
inline void add_gpus(Topology::Parts& parts, int count) {
  for (int i = 0; i < count; ++i) add_node(parts, "gpu" + std::to_string(i), NodeKind::gpu);
}

// A link without ends, to be changed and passed to add_cable. `bandwidth` is of all its cables.
inline Link link_of(LinkKind kind, Bandwidth bandwidth, int count = 1) {
  Link link;
  link.kind = kind;
  link.bandwidth = link.usable = bandwidth;
  link.count = count;
  return link;
}

using syncsim::add_cable;

// `gpus` gpus around switch0.
inline Topology::Parts star(int gpus, Bandwidth bandwidth = gigabytes(16),
                            LinkKind kind = LinkKind::pcie) {
  Topology::Parts parts;
  parts.name = "star";
  add_gpus(parts, gpus);
  const NodeId hub = add_node(parts, "switch0", NodeKind::switch_);
  for (NodeId gpu = 0; gpu < hub; ++gpu) add_cable(parts, gpu, hub, link_of(kind, bandwidth));
  return parts;
}

// Two sockets of two PCIe switches of two gpus each, as in the DGX-1.
inline void add_two_socket_tree(Topology::Parts& parts) {
  const std::array cpus = {add_node(parts, "cpu0", NodeKind::cpu),
                           add_node(parts, "cpu1", NodeKind::cpu)};
  for (NodeId plx = 0; plx < 4; ++plx) {
    const NodeId hub = add_node(parts, "plx" + std::to_string(plx), NodeKind::switch_);
    for (const NodeId gpu : {2 * plx, 2 * plx + 1})
      add_cable(parts, gpu, hub, link_of(LinkKind::pcie, gigabytes(16)));
    add_cable(parts, hub, cpus[plx / 2], link_of(LinkKind::pcie, gigabytes(16)));
  }
  add_cable(parts, cpus[0], cpus[1], link_of(LinkKind::socket, gigabytes(19.2)));
}

inline Topology::Parts two_socket_tree() {
  Topology::Parts parts;
  parts.name = "two_socket_tree";
  add_gpus(parts, 8);
  add_two_socket_tree(parts);
  return parts;
}

struct MeshEdge {
  NodeId a = 0;
  NodeId b = 0;
  int count = 1;
};

// NVLink cables of the DGX-1V between gpu0 and gpu7; the DGX-1P has each of them once.
inline const std::vector<MeshEdge>& hybrid_cube_mesh() {
  static const std::vector<MeshEdge> kEdges = {
      {0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1}, {1, 5, 2}, {2, 3, 2},
      {2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1}, {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}};
  return kEdges;
}

inline Topology::Parts direct_mesh(int gpus, const std::vector<MeshEdge>& edges,
                                   double gigabytes_per_cable = 25) {
  Topology::Parts parts;
  parts.name = "mesh";
  add_gpus(parts, gpus);
  for (const MeshEdge& edge : edges)
    add_cable(parts, edge.a, edge.b,
              link_of(LinkKind::nvlink, gigabytes(gigabytes_per_cable * edge.count), edge.count));
  return parts;
}

inline Topology::Parts full_mesh(int gpus) {
  std::vector<MeshEdge> edges;
  for (NodeId a = 0; a < static_cast<NodeId>(gpus); ++a)
    for (NodeId b = a + 1; b < static_cast<NodeId>(gpus); ++b) edges.push_back({a, b, 1});
  return direct_mesh(gpus, edges);
}

inline Topology::Parts dgx1v() {
  Topology::Parts parts = direct_mesh(8, hybrid_cube_mesh());
  parts.name = "dgx1v";
  add_two_socket_tree(parts);
  return parts;
}

inline Topology::Parts dgx1p() {
  std::vector<MeshEdge> edges = hybrid_cube_mesh();
  for (MeshEdge& edge : edges) edge.count = 1;
  Topology::Parts parts = direct_mesh(8, edges, 20);
  parts.name = "dgx1p";
  return parts;
}

// Two boards of 8 gpus and 6 NVSwitch planes; trunks of 8 cables join a plane's two switches.
inline Topology::Parts dgx2() {
  Topology::Parts parts;
  parts.name = "dgx2";
  add_gpus(parts, 16);
  Link cable = link_of(LinkKind::nvlink, gigabytes(25));
  Link trunk = link_of(LinkKind::nvlink, gigabytes(200), 8);
  cable.spread = trunk.spread = Spread::stripe;
  std::vector<NodeId> planes;
  for (int i = 0; i < 12; ++i)
    planes.push_back(add_node(parts, "nvs" + std::to_string(i), NodeKind::switch_));
  for (NodeId gpu = 0; gpu < 16; ++gpu)
    for (NodeId plane = 0; plane < 6; ++plane)
      add_cable(parts, gpu, planes[plane + (gpu < 8 ? 0 : 6)], cable);
  for (NodeId plane = 0; plane < 6; ++plane)
    add_cable(parts, planes[plane], planes[plane + 6], trunk);
  return parts;
}

}  // namespace syncsim::testing
