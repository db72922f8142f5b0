#pragma once
// Groups of nodes that a machine is built of: boxes, boxes of boxes, racks, halves; see
// structure_bound.h.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

struct NodeGroups {
  static constexpr std::uint32_t kNoGroup = 0xffffffffu;
  std::string name;               // "box", "rack", "half"
  std::vector<std::uint32_t> of;  // by node; kNoGroup: in none
  std::uint32_t count = 0;
};

std::vector<NodeGroups> node_groups(const Topology& topology);

}  // namespace syncsim
