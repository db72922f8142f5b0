#pragma once
// Which nodes hang together by some of a machine's links, however far.

#include <boost/pending/disjoint_sets.hpp>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

// By node, a node that stands for its island: the same for all that are joined by links for which
// `joins(link)` holds, in either direction. A node without such a link is one by itself.
template <class Joins>
std::vector<NodeId> islands_of(const Topology& topology, const Joins& joins) {
  boost::disjoint_sets_with_storage<> sets(topology.nodes().size());
  for (const Link& link : topology.links())
    if (joins(link)) sets.union_set(link.from, link.to);
  std::vector<NodeId> islands;
  islands.reserve(topology.nodes().size());
  for (NodeId node = 0; node < topology.nodes().size(); ++node)
    islands.push_back(static_cast<NodeId>(sets.find_set(node)));
  return islands;
}

}  // namespace syncsim
