#pragma once
// The route of one flow between several nodes and one, the root, that the network adds up on the
// way (reduce: members -> root) or multiplies (multicast: root -> members).
// 1. It is a tree: each member's route to the root, in order, up to where it meets the tree so far.
//    A multicast takes the same tree against its direction. So each link is used once, by as much
//    as the first route that passes it uses it: of a stripe over k planes, 1/k on each.
// 2. Where branches meet, the node has to reduce; for a multicast, where they part, to multicast.
//    That goes for the root too.
// 3. Where the root is a member too, what it has passes the network like the others': up the tree
//    to the first nodes with the ability, and back (NVLink SHARP: a reading GPU's own copy is read
//    through the switch).
// 4. Where branches meet at a node with a reduce bandwidth, all that comes in takes some of it; so
//    does the sum at a root that is no member. Else an ability costs nothing.
// 5. One rate and one finish: the latency of the longest branch, the largest overhead of all links.
// Routes to one node on one channel go through the same switches of a fat tree (rule 5 of
// routing.h): the tree is the lowest that joins the members, and channels take different spines.

#include <cstdint>
#include <span>

#include "sim/topology/resources.h"
#include "sim/topology/routing.h"
#include "sim/topology/topology.h"

namespace syncsim {

enum class TreeKind : std::uint8_t { reduce, multicast };

// Whether a node can do what a tree of this kind needs where branches meet.
bool has_ability(const Node& node, TreeKind kind);

struct TreeEnds {
  NodeId root = 0;
  bool root_takes_part = false;  // rule 3
  std::span<const Route> ways;   // of the other members to the root, whatever the kind
};

// Throws InputError that names the node which lacks the ability.
Route tree_route(const Topology& topology, const Resources& resources, TreeKind kind,
                 const TreeEnds& ends);

}  // namespace syncsim
