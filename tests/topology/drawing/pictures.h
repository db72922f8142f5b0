#pragma once
// Pictures as words, and machines to draw.

#include <string>
#include <vector>

#include "sim/topology/drawing/fold.h"
#include "sim/topology/drawing/labels.h"
#include "tests/support/machines.h"

namespace syncsim::testing {

using Lines = std::vector<std::string>;

inline drawing::Picture folded(const Topology::Parts& parts, const DrawingOptions& options = {}) {
  return drawing::fold(Topology(parts), options);
}

inline std::string words(const drawing::Figure& figure) {
  std::string text;
  for (const std::string& line : figure.lines) text += (text.empty() ? "" : " | ") + line;
  return text;
}

inline Lines figures_of(const drawing::Picture& picture) {
  Lines lines;
  for (const drawing::Figure& figure : picture.figures) lines.push_back(words(figure));
  return lines;
}

// "gpu0 -- switch0: pcie, 16 GB/s", by the first lines of figures.
inline Lines bundles_of(const drawing::Picture& picture) {
  Lines lines;
  for (const drawing::Bundle& bundle : picture.bundles)
    lines.push_back(picture.figures[bundle.a].lines.front() + " -- " +
                    picture.figures[bundle.b].lines.front() + ": " +
                    std::string(to_string(bundle.kind)) + ", " + drawing::rate_text(bundle));
  return lines;
}

// A box of `gpus` gpus and a nic around a PCIe switch. Returns the nic.
inline NodeId add_box(Topology::Parts& parts, const std::string& box, int gpus,
                      double gigabytes_per_second = 16) {
  const NodeId hub = add_node(parts, box + "/plx0", NodeKind::switch_);
  const Link link = link_of(LinkKind::pcie, gigabytes(gigabytes_per_second));
  for (int i = 0; i < gpus; ++i)
    add_cable(parts, add_node(parts, box + "/gpu" + std::to_string(i), NodeKind::gpu), hub, link);
  const NodeId nic = add_node(parts, box + "/nic0", NodeKind::nic);
  add_cable(parts, nic, hub, link);
  return nic;
}

// Boxes of 2 gpus around `leaves` network switches, each of them joined to each by 25 GB/s.
inline Topology::Parts cluster(int boxes, int leaves) {
  Topology::Parts parts;
  parts.name = "cluster";
  std::vector<NodeId> nics;
  for (int i = 0; i < boxes; ++i) nics.push_back(add_box(parts, "node" + std::to_string(i), 2));
  for (int i = 0; i < leaves; ++i) {
    const NodeId leaf = add_node(parts, "leaf" + std::to_string(i), NodeKind::switch_);
    for (const NodeId nic : nics)
      add_cable(parts, nic, leaf, link_of(LinkKind::network, gigabytes(25)));
  }
  return parts;
}

// Gpus in a grid, the first side fastest.
inline Topology::Parts grid(const std::vector<std::size_t>& sides, bool wraps) {
  Topology::Parts parts;
  parts.name = "grid";
  std::size_t count = 1;
  for (const std::size_t side : sides) count *= side;
  add_gpus(parts, static_cast<int>(count));
  std::size_t stride = 1;
  for (const std::size_t side : sides) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool last = i / stride % side == side - 1;
      if (last && !(wraps && side > 2)) continue;
      const std::size_t next = last ? i - stride * (side - 1) : i + stride;
      add_cable(parts, static_cast<NodeId>(i), static_cast<NodeId>(next),
                link_of(LinkKind::nvlink, gigabytes(45)));
    }
    stride *= side;
  }
  return parts;
}

}  // namespace syncsim::testing
