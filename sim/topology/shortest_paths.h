#pragma once
// All shortest paths between two nodes over links of a class or better, whose inner nodes forward.
// Breadth-first from both ends until the two meet, a layer at a time, always on the side whose next
// layer has fewer links to look at. A leaf of a star or of a cluster's fabric is thus found by the
// few links around it: one search from the source alone would flood thousands of machines (50 s
// for a ring through 2,048 of them, against less than a second). Nothing is kept between pairs.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

// One link of the paths, between positions in ShortestPaths::nodes.
struct Hop {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  LinkId link = 0;
};

struct ShortestPaths {
  std::vector<NodeId> nodes;  // the source first, then by hops from it, the destination last
  std::vector<Hop> hops;      // ordered by (from, link)
  int length = 0;             // hops of each path
  int route_class = 0;
};

// Two leaves of one node: there is no other way, whatever the rules.
struct LeafPath {
  LinkId up = 0;
  LinkId down = 0;
};

// The ends that paths leave, or reach, over network links only: nics that the flow was led to.
struct NetworkEnds {
  bool from = false;
  bool to = false;
};

class PathFinder {
 public:
  explicit PathFinder(const Topology& topology, Plane plane = Plane::all);
  ~PathFinder();
  PathFinder(const PathFinder&) = delete;
  PathFinder& operator=(const PathFinder&) = delete;

  // Of the best class that has a path at all; nothing when none has. The nodes differ.
  std::optional<ShortestPaths> find(NodeId from, NodeId to, NetworkEnds ends = {});
  // When each of the two nodes, which differ, has one cable, and both lead to one node that
  // forwards.
  std::optional<LeafPath> between_leaves(NodeId from, NodeId to) const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace syncsim
