#pragma once
// What a drawing may show as one figure: a node, or a box whole. A box is what shares an id up to
// its last '/'. Two boxes have the same signature when their nodes and inner links are alike.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sim/topology/drawing/picture.h"
#include "sim/topology/graphviz.h"

namespace syncsim::drawing {

struct Unit {
  Role role = Role::gpu;
  std::vector<NodeId> nodes;
  std::string box;                         // the prefix, empty where there is none
  std::string contents;                    // the signature of a box, empty for a node
  std::array<std::size_t, 7> counts = {};  // nodes by role
  double heat = 0;
};

struct Units {
  std::vector<Unit> all;
  std::vector<Bundle> bundles;  // between different units
};

// Every node by itself, or boxes whole.
Units node_units(const Topology& topology, const DrawingOptions& options);
Units box_units(const Topology& topology, const DrawingOptions& options);

// The bundles, each from and to what `target` says of its ends, merged by ends and kind; sorted by
// them. Those that join a thing to itself come last, in `inner`.
struct Merged {
  std::vector<Bundle> outer;
  std::vector<Bundle> inner;
};
Merged merge(std::span<const Bundle> bundles, std::span<const std::size_t> target);

}  // namespace syncsim::drawing
