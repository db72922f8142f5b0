#pragma once
// Where a flow has to pass on its way because devices may not, or need not, reach each other over
// the shortest one: rules 6 to 9 of routing.h. Knows the policy, not how routes are put together.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/topology/boxes.h"
#include "sim/topology/direct_routes.h"
#include "sim/topology/nearby.h"
#include "sim/topology/routing.h"
#include "sim/topology/topology.h"

namespace syncsim {

// How a flow passes a waypoint.
enum class Passage : std::uint8_t {
  through,  // as it would pass any node
  staged,   // written to its memory and read again: its transit is used twice
  nic_out,  // a nic: on by the network only
  nic_in,   // a nic: reached by the network only
};

// A node between the legs of a route.
struct Waypoint {
  NodeId node = 0;
  Passage passage = Passage::through;
  friend bool operator==(const Waypoint&, const Waypoint&) = default;
};

// What is asked for.
struct Trip {
  NodeId from = 0;
  NodeId to = 0;
  std::uint32_t channel = 0;
  NicPair nics;
};

class Detours {
 public:
  // Keeps the references.
  Detours(const Topology& topology, DirectRoutes& direct);

  // Whether a trip may have a waypoint at all.
  bool may_turn(const Trip& trip) const { return any_ || trip.nics != NicPair{}; }
  // In order, for a trip whose route by rules 1 to 5 is `direct`. Throws InputError without a place
  // where a flow would have to be staged and no cpu is, or be led over a nic that is out of reach.
  std::vector<Waypoint> of(const Trip& trip, const Route& direct);

 private:
  std::vector<Waypoint> between_gpus(const Trip& trip, const Route& direct);
  std::vector<Waypoint> beside_nic(NodeId gpu, NodeId nic);
  std::vector<Waypoint> over_network(const Trip& trip, const Route& direct);
  void leave(const Trip& trip, const Route& direct, std::optional<NodeId> given,
             std::vector<Waypoint>& waypoints);
  void arrive(const Trip& trip, const Route& direct, std::optional<NodeId> given,
              std::vector<Waypoint>& waypoints);
  // The cpu that a flow between a gpu and a nic has to pass.
  std::optional<Waypoint> root_beside(NodeId gpu, NodeId nic);
  std::optional<NodeId> nvlink_relay(const Trip& trip);
  std::optional<NodeId> rail_relay(const Trip& trip, const Route& direct);
  // Of a trip's end, given by the run or the policy; in reach without the network.
  std::optional<NodeId> given_nic(NodeId end, const std::optional<NodeId>& by_run);
  void require_way_between(const Trip& trip, NodeId out, NodeId in);
  NodeId root_of(NodeId device);

  bool is_gpu(NodeId node) const { return topology_.nodes()[node].kind == NodeKind::gpu; }
  bool is_nic(NodeId node) const { return topology_.nodes()[node].kind == NodeKind::nic; }
  const std::string& id(NodeId node) const { return topology_.nodes()[node].id; }

  // What is near each device; found when first asked for.
  struct Surroundings {
    explicit Surroundings(const Topology& topology)
        : links(topology), nvlink(topology, links), cpus(nearest_cpus(topology, links)) {}

    LinksOut links;
    NvlinkNeighbours nvlink;
    std::vector<std::optional<NodeId>> cpus;  // by node
  };
  Surroundings& surroundings();

  const Topology& topology_;
  const RoutingPolicy& policy_;
  DirectRoutes& direct_;
  bool any_ = false;
  std::vector<std::vector<NodeId>> gpus_;    // by box
  std::unordered_map<NodeId, NodeId> nics_;  // that the policy gives, by gpu
  std::unique_ptr<Surroundings> surroundings_;
};

}  // namespace syncsim
