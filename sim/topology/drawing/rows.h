#pragma once
// Which row each figure is in. Row 0 holds the leaves: GPUs, NICs, boxes. Above it are CPUs, by
// their distance from which PCIe switches come below them; below it NVSwitches. Networks come below
// those, or above the leaves where there is no PCIe tree, by their distance from what they join.

#include <cstddef>
#include <limits>
#include <vector>

#include "sim/topology/drawing/picture.h"

namespace syncsim::drawing {

inline constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

struct Rows {
  std::vector<int> of;               // by figure
  std::vector<std::size_t> parents;  // in the PCIe tree; kNone: a root, or in none
};

Rows rows_of(const Picture& picture);

// By figure, the others that it has bundles to.
using Neighbours = std::vector<std::vector<std::size_t>>;

std::vector<std::size_t> figures_where(const Picture& picture, bool (*holds)(Role));

}  // namespace syncsim::drawing
