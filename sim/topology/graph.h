#pragma once
// A machine as a Boost graph: vertex = NodeId, edge property = LinkId. The edges that leave a node
// come in the order of their links. Only for .cpp files: Boost.Graph is slow to compile.

#include <boost/graph/adjacency_list.hpp>

#include "sim/topology/topology.h"

namespace syncsim {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS,
                                    boost::no_property, LinkId>;

inline Graph build_graph(const Topology& topology) {
  Graph graph(topology.nodes().size());
  for (LinkId link = 0; link < topology.links().size(); ++link)
    boost::add_edge(topology.links()[link].from, topology.links()[link].to, link, graph);
  return graph;
}

}  // namespace syncsim
