#pragma once
// From the shortest paths of a pair to its route: the widest of them, of these the ones with the
// least latency, of these the ways that one channel takes (rules 3 to 5 of routing.h).
//
// Exact, not step by step: the best way to a node on the path need not be part of the best way to
// the destination. A wide detour before a narrow last link is worth nothing, so width is settled
// for the whole path first, and latency only among the paths that are wide enough.

#include <cstdint>

#include "sim/topology/resources.h"
#include "sim/topology/routing.h"
#include "sim/topology/shortest_paths.h"

namespace syncsim {

struct BestPaths {
  ShortestPaths paths;  // only hops that are on best paths
  Time latency;
  std::uint64_t period = 1;  // channels this far apart take the same ways; 1: there is no choice
};

// The paths that are best by rules 3 and 4.
BestPaths best_paths(const Topology& topology, const Resources& resources, ShortestPaths paths);

// Rule 5: `choice` is seed + channel + destination.
Route choose_route(const Topology& topology, const Resources& resources, const BestPaths& best,
                   std::uint64_t choice);

}  // namespace syncsim
