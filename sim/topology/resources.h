#pragma once
// Everything with a capacity that flows share: a link direction, a half-duplex cable (one capacity
// for both directions), a node's transit, a node's reduce engine.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

using ResourceId = std::uint32_t;

enum class ResourceKind : std::uint8_t { link, cable, transit, reduce };

struct Resource {
  std::string name;  // "gpu0>switch0", "a-b" (half duplex), "cpu0:transit", "cpu0:reduce"
  ResourceKind kind = ResourceKind::link;
  double capacity = 0;  // bytes per second
};

// A flow at rate r uses `coefficient` x r of the resource.
struct ResourceUse {
  ResourceId resource = 0;
  double coefficient = 1;
  friend bool operator==(const ResourceUse&, const ResourceUse&) = default;
};

class Resources {
 public:
  Resources(const Topology& topology, Rates rates);

  const std::vector<Resource>& all() const { return all_; }
  ResourceId of_link(LinkId link) const { return of_link_[link]; }
  std::optional<ResourceId> transit(NodeId node) const { return transit_[node]; }
  std::optional<ResourceId> reduce(NodeId node) const { return reduce_[node]; }

 private:
  std::vector<Resource> all_;
  std::vector<ResourceId> of_link_;
  std::vector<std::optional<ResourceId>> transit_;
  std::vector<std::optional<ResourceId>> reduce_;
};

}  // namespace syncsim
