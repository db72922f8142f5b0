#pragma once
// Machines as works on collective algorithms model them: direct links and networks alone, without
// the PCIe trees beside them.

#include <string>
#include <vector>

#include "tests/support/runs.h"

namespace syncsim::testing {

// A shelf machine with its NVLink or xGMI alone.
inline Topology without_pcie(const std::string& shelf) {
  const Topology whole = shelf_machine(shelf);
  Topology::Parts parts;
  parts.name = shelf;
  parts.nodes = whole.nodes();
  parts.ranks = whole.ranks();
  for (const Link& link : whole.links())
    if (link.kind == LinkKind::nvlink || link.kind == LinkKind::xgmi) parts.links.push_back(link);
  return Topology(parts);
}

// Boxes of gpus around a switch; gpu i of every box is on network switch i mod `rails`.
inline Topology railed_boxes(int count, int gpus, double nvlink, double network, int rails) {
  Topology::Parts parts;
  parts.name = "boxes";
  add_gpus(parts, count * gpus);
  std::vector<NodeId> rail;
  for (int i = 0; i < rails; ++i)
    rail.push_back(add_node(parts, "rail" + std::to_string(i), NodeKind::switch_));
  for (int box = 0; box < count; ++box) {
    const NodeId hub = add_node(parts, "nvs" + std::to_string(box), NodeKind::switch_);
    for (int i = 0; i < gpus; ++i) {
      const auto gpu = static_cast<NodeId>(box * gpus + i);
      add_cable(parts, gpu, hub, link_of(LinkKind::nvlink, gigabytes(nvlink)));
      add_cable(parts, gpu, rail[static_cast<std::size_t>(i % rails)],
                link_of(LinkKind::network, gigabytes(network)));
    }
  }
  return Topology(parts);
}

// A mesh whose rows and columns differ in bandwidth.
inline Topology uneven_mesh(int columns, int rows, Bandwidth along_row, Bandwidth along_column) {
  Topology::Parts parts;
  parts.name = "mesh";
  add_gpus(parts, columns * rows);
  for (Node& node : parts.nodes) node.forwards = true;
  for (int i = 0; i < columns * rows; ++i) {
    const auto here = static_cast<NodeId>(i);
    if (i % columns + 1 < columns)
      add_cable(parts, here, here + 1, link_of(LinkKind::xgmi, along_row));
    if (i + columns < columns * rows)
      add_cable(parts, here, here + static_cast<NodeId>(columns),
                link_of(LinkKind::xgmi, along_column));
  }
  return Topology(parts);
}

}  // namespace syncsim::testing
