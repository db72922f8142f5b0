#pragma once
// What a topology file says of a node besides its id, and of the machine's routing policy.

#include "sim/base/json_reader.h"
#include "sim/topology/node_index.h"
#include "sim/topology/topology.h"

namespace syncsim {

// "kind", "forwards", "transit_bandwidth", "reduce_bandwidth", "peer_cost", "abilities" (a list of
// "reduce" and "multicast") and "architecture". Refuses other keys but "id".
Node read_node_figures(const JsonReader& entry);

double read_peer_cost(const JsonReader& json);  // 1 or more

// Refuses, at `at`, what Topology's constructor refuses of this node.
void check_node_alone(const JsonReader& at, const Node& node);

// What is not said is as in `base`; a gpu's nic, too.
RoutingPolicy read_routing_policy(const JsonReader& json, const NodeIndex& nodes,
                                  RoutingPolicy base = {});

}  // namespace syncsim
