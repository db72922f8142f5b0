#pragma once
// Where a flow has to pass on its way because devices may not, or need not, reach each other over
// the shortest one: rules 6 to 9 of routing.h. Knows the policy, not how routes are put together.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/topology/boxes.h"
#include "sim/topology/routing.h"
#include "sim/topology/topology.h"

namespace syncsim {

// A node between the legs of a route.
struct Waypoint {
  NodeId node = 0;
  bool staged = false;  // written to its memory and read again: its transit is used twice
  friend bool operator==(const Waypoint&, const Waypoint&) = default;
};

class Detours {
 public:
  // The route of a pair by rules 1 to 5; nothing when there is none.
  using Direct = std::function<std::optional<Route>(NodeId from, NodeId to, std::uint32_t channel)>;

  // Keeps the references.
  Detours(const Topology& topology, std::span<const Place> places, Direct direct);

  // Whether any route may have a waypoint at all.
  bool any() const { return any_; }
  // In order, for the pair whose route by rules 1 to 5 is `direct` on this channel; `choice` picks
  // among equal relays. Throws InputError without a place when a flow would have to be staged where
  // no cpu is.
  std::vector<Waypoint> of(NodeId from, NodeId to, std::uint32_t channel, const Route& direct,
                           std::uint64_t choice);

 private:
  std::vector<Waypoint> between_gpus(NodeId from, NodeId to, const Route& direct,
                                     std::uint64_t choice);
  std::vector<Waypoint> over_network(NodeId from, NodeId to, std::uint32_t channel,
                                     const Route& direct);
  // The cpu that a flow between a gpu and a nic has to pass.
  std::optional<Waypoint> beside_nic(NodeId gpu, NodeId nic);
  std::optional<NodeId> nvlink_relay(NodeId from, NodeId to, std::uint64_t choice);
  std::optional<NodeId> rail_relay(NodeId from, NodeId to, const Route& direct);
  std::optional<NodeId> given_nic(NodeId node) const;
  NodeId root_of(NodeId device);
  std::optional<NodeId> nearest(NodeId device, std::span<const NodeId> cpus);

  bool is_gpu(NodeId node) const { return topology_.nodes()[node].kind == NodeKind::gpu; }
  int cpus_on(const Route& route) const;
  PeerLevel level_of(const Route& route) const;
  int network_hops(const Route& route) const;

  struct Box {
    std::vector<NodeId> gpus;
    std::vector<NodeId> cpus;
  };

  const Topology& topology_;
  const RoutingPolicy& policy_;
  std::span<const Place> places_;
  Direct direct_;
  bool any_ = false;
  std::vector<Box> boxes_;
  std::unordered_map<NodeId, NodeId> roots_;  // of devices asked for
};

}  // namespace syncsim
