#pragma once
// The shipped machines, and what is counted on them.

#include <initializer_list>
#include <string>

#include "sim/topology/topology_json.h"

namespace syncsim::testing {

inline Topology shelf(const std::string& name) { return load_topology(name, SYNCSIM_SHELF); }

// "gpu", 3 -> "gpu3".
inline std::string numbered(const std::string& word, int number) {
  return word + std::to_string(number);
}

// Counts cables of a kind between the nodes that pass `is_left` and those that pass `is_right`.
template <class IsLeft, class IsRight>
int cables(const Topology& topology, LinkKind kind, const IsLeft& is_left,
           const IsRight& is_right) {
  int count = 0;
  for (const Link& link : topology.links())
    if (link.kind == kind && is_left(topology.nodes()[link.from].id) &&
        is_right(topology.nodes()[link.to].id))
      count += link.count;
  return count;
}

inline auto is(const std::string& id) {
  return [id](const std::string& other) { return other == id; };
}

inline bool is_any(const std::string&) { return true; }

inline int direct_cables(const Topology& topology, LinkKind kind, int a, int b) {
  return cables(topology, kind, is(numbered("gpu", a)), is(numbered("gpu", b)));
}

// Bytes a second that leave the node over links of the kind.
inline double bandwidth_out(const Topology& topology, NodeId node, LinkKind kind,
                            Rates rates = Rates::line) {
  double sum = 0;
  for (const Link& link : topology.links())
    if (link.kind == kind && link.from == node) sum += link.rate(rates).bytes_per_second;
  return sum;
}

inline int nodes(const Topology& topology, NodeKind kind) {
  return static_cast<int>(topology.nodes_of_kind(kind).size());
}

}  // namespace syncsim::testing
