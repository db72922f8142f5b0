#pragma once
// From the shortest paths of a pair to its route: the widest of them, of these the ones with the
// least latency, of these the ways that one channel takes (rules 3 to 5 of routing.h).
//
// Exact, not step by step: the best way to a node on the path need not be part of the best way to
// the destination. A wide detour before a narrow last link is worth nothing, so width is settled
// for the whole path first, and latency only among the paths that are wide enough. Ways that are
// striped count as one, as wide as all of them.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/topology/resources.h"
#include "sim/topology/routing.h"
#include "sim/topology/shortest_paths.h"

namespace syncsim {

inline constexpr std::uint64_t kAllChannels = std::uint64_t{1} << 32;

struct BestPaths {
  ShortestPaths paths;  // only hops that are on best paths; of each position, striped ones first
  std::vector<double> widths;  // of each hop and what is behind it; empty when there is one path
  Time latency;
  std::uint64_t period = 1;  // channels this far apart take the same ways; 1: there is no choice
};

// Which of k equally good nics a gpu uses: each of the gpus that share them has its own part, and
// channels go around in it.
struct NicChoice {
  std::uint64_t number = 0;  // of the gpu in its box
  std::uint64_t turn = 0;    // seed + channel
  std::uint64_t gpus = 0;    // of the box
  std::uint64_t nics = 0;    // of the box

  std::uint64_t of(std::uint64_t k) const {
    const std::uint64_t sharing = nics == 0 ? 1 : std::max<std::uint64_t>(1, k * gpus / nics);
    return (number + turn * sharing) % k;
  }
};

// What rule 5 chooses by.
struct Choice {
  std::uint64_t fabric = 0;  // seed + channel + place of the destination
  NicChoice out;             // of the source
  NicChoice in;              // of the destination
};

// The paths that are best by rules 3 and 4.
BestPaths best_paths(const Topology& topology, const Resources& resources, ShortestPaths paths);

// Rule 5.
Route choose_route(const Topology& topology, const Resources& resources, BestPaths best,
                   const Choice& choice);

// Adds to a resource's coefficient, or appends it.
void add_use(std::vector<ResourceUse>& uses, ResourceId resource, double share);
// The least capacity / coefficient; infinity without uses.
double bottleneck(const Resources& resources, std::span<const ResourceUse> uses);

}  // namespace syncsim
