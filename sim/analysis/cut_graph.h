#pragma once
// A machine as the lower bounds see it: terminals, which hold or add up data, and free nodes, which
// only hand it on; between them directed arcs of whole capacities. Terminals 0..ranks-1 are the
// ranks; further ones are helpers that may add up too: the CPUs of a parameter server, the switches
// of an in-network reduction.
//   B+(S) = sum of the capacities of the arcs that leave the node set S
// What a schedule moves out of S in time T is at most T x B+(S): routes only restrict it further.
// 1. An arc is a link's rate, with events its highest; a half-duplex cable gives each direction all
//    of it. A free node with a transit bandwidth is two nodes and an arc between them.
// 2. Gpus that are no terminal carry nothing, unless the machine's policy has relays.
// 3. Free nodes with at most two neighbours and equal twins (NVSwitch planes) are merged away; cuts
//    between terminals keep their values.
// 4. Capacities are bytes per second divided by `unit`, rounded up where they do not divide.

#include <cstdint>
#include <vector>

#include "sim/analysis/bounds.h"

namespace syncsim {

inline constexpr std::uint32_t kNoCutNode = 0xffffffffu;

struct CutGate {
  std::uint32_t in = kNoCutNode;
  std::uint32_t out = kNoCutNode;
};

struct CutGraph {
  struct Arc {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::int64_t capacity = 0;
    friend bool operator==(const Arc&, const Arc&) = default;
  };
  std::vector<NodeId> terminals;  // ranks first; terminal t is node t
  std::size_t ranks = 0;
  std::size_t nodes = 0;
  std::vector<Arc> arcs;  // at most one from one node to another, by (from, to)
  double unit = 1;        // bytes per second of capacity 1
  // By the machine's nodes, where data enters and leaves them; empty after merging.
  std::vector<CutGate> gates;
};

enum class Merge : std::uint8_t { yes, no };  // rule 3

CutGraph cut_graph(const BoundQuery& query, Merge merge = Merge::yes);

// By link, in bytes per second: its rate, with events its highest.
std::vector<double> highest_rates(const BoundQuery& query);

}  // namespace syncsim
