#pragma once
// Lower bounds: times that no schedule can beat on a machine, in which the ranks and the given
// helpers add up, and nothing else. Of each kind that applies the largest:
//   ports      what passes a rank's own links (ports_bound.h); follows bandwidths that change
//   cut        what must leave a set of nodes, over its capacity: for allreduce M, for the others
//              what its ranks hold and others lack (spread_bound.h)
//   volume     all-to-all, send-recv: bytes times distance over all links (volume_bound.h)
//   partition  allreduce: 2 (k - 1) M over the capacity of all parts (partition_bound.h)
//   latency    the farthest two ranks that need each other's data (latency_bound.h)
//   late start  the last rank to come, where nothing has to move
// Of ranks that come late ports and latency count what is theirs from when they come, the others
// all from when the first rank comes.
// Cuts and partitions are exact up to kMostRanksCut ranks. Beyond, they are the best of single
// ranks, boxes, groups of boxes and halves, and say so: "partition (by structure)".
// They hold at any moment's bandwidths: with events the highest of each link counts, but for ports.

#include <span>
#include <string>
#include <vector>

#include "sim/schedule/schedule.h"
#include "sim/topology/link_events.h"
#include "sim/topology/topology.h"

namespace syncsim {

inline constexpr std::size_t kMostRanksCut = 512;

struct LowerBound {
  double seconds = 0;
  std::string kind;   // "ports", "cut", "partition (by structure)", "latency", "late start", ...
  std::string binds;  // "the ports into rank 3 (gpu3)", "ranks 0-3 | 4-7, 6 links of 25 GB/s"
};

struct BoundQuery {
  const Topology& topology;
  std::span<const NodeId> ranks;  // the nodes of ranks 0..n-1
  const Collective& collective;
  Rates rates = Rates::line;
  std::span<const LinkChange> changes = {};  // ascend by time
  std::span<const NodeId> helpers = {};      // other nodes that may add up
  Time overhead = {};                        // of every transfer
  std::span<const Time> starts = {};         // when ranks come, by rank; empty: all at 0

  // Before which nothing is sent from or to the rank.
  Time start_of(std::size_t rank) const { return starts.empty() ? Time{} : starts[rank]; }
  Time first_start() const;
};

// One of each kind, the largest first; of equal ones in the order above. Infinite where links end
// at 0 before the bytes are through.
std::vector<LowerBound> lower_bounds(const BoundQuery& query);
// The largest.
LowerBound lower_bound(const BoundQuery& query);

// The nodes that reduce or multicast in the network, in order. As helpers a bound has them hold
// data like a rank, which is more than they do.
std::vector<NodeId> able_nodes(const Topology& topology);
// The nodes that take part in a schedule without being ranks, but for those that do what they do as
// nodes of a route too (relaying.h); where it uses groups, all able ones.
std::vector<NodeId> helpers_of(const Schedule& schedule, const Topology& topology);

}  // namespace syncsim
