#pragma once
// Routes by rules 1 to 5 of routing.h: what the cables of a machine make of a pair, whatever its
// policy. The policy's detours (detours.h) are put together from such legs.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/topology/best_paths.h"
#include "sim/topology/boxes.h"
#include "sim/topology/resources.h"
#include "sim/topology/routing.h"
#include "sim/topology/shortest_paths.h"

namespace syncsim {

// A route or a part of one.
struct Leg {
  NodeId from = 0;
  NodeId to = 0;
  NodeId destination = 0;  // of the whole route: its place chooses the ways through the fabric
  NetworkEnds ends = {};
};

class DirectRoutes {
 public:
  // Keeps references.
  DirectRoutes(const Topology& topology, const Resources& resources, std::uint32_t seed,
               Plane plane = Plane::all);

  struct Found {
    Route route;
    std::uint64_t period = 1;  // channels this far apart take the same ways
  };
  // Nothing when no path exists.
  std::optional<Found> find(const Leg& leg, std::uint32_t channel);
  std::optional<Route> find(NodeId from, NodeId to, std::uint32_t channel = 0);
  bool reachable(NodeId from, NodeId to) { return from == to || finder_.find(from, to); }

  // Rule 5's c, for the ways through the fabric.
  std::uint64_t fabric_choice(NodeId destination, std::uint32_t channel) const;
  std::span<const Place> places() const { return places_; }

 private:
  NicChoice nic_choice(NodeId node, std::uint64_t turn) const;
  Route through_hub(const LeafPath& path) const;

  const Topology& topology_;
  const Resources& resources_;
  std::uint32_t seed_;
  PathFinder finder_;
  std::vector<Place> places_;  // by node
};

}  // namespace syncsim
