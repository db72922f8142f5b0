#pragma once
// The bounds by their definitions, over all cuts and all partitions: for small machines.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim::testing {

// The capacity in bytes per second that leaves `set`, a bit for each node.
inline double leaving(const Topology& machine, std::uint32_t set) {
  double sum = 0;
  for (const Link& link : machine.links())
    if ((set >> link.from & 1) != 0 && (set >> link.to & 1) == 0)
      sum += link.bandwidth.bytes_per_second;
  return sum;
}
inline double entering(const Topology& machine, std::uint32_t set) {
  return leaving(machine, ~set);
}

// f(P): the least capacity over the sides of the other nodes. Ranks are nodes 0 to ranks - 1.
template <class Capacity>
double least(const Topology& machine, std::uint32_t ranks, Capacity&& capacity) {
  const auto gpus = machine.ranks().size();
  const auto free_nodes = machine.nodes().size() - gpus;
  double best = capacity(machine, ranks);
  for (std::uint32_t free = 1; free < (1u << free_nodes); ++free)
    best = std::min(best, capacity(machine, ranks | free << gpus));
  return best;
}

// Calls see(part of each rank, parts) for every partition.
inline void each_partition(int ranks,
                           const std::function<void(const std::vector<int>&, int)>& see) {
  std::vector<int> part(static_cast<std::size_t>(ranks), 0);
  const std::function<void(int, int)> place = [&](int rank, int parts) {
    if (rank == ranks) return see(part, parts);
    for (int number = 0; number <= parts; ++number) {
      part[static_cast<std::size_t>(rank)] = number;
      place(rank + 1, std::max(parts, number + 1));
    }
  };
  place(0, 0);
}

}  // namespace syncsim::testing
