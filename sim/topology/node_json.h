#pragma once
// What a topology file says of a node besides its id, and of the machine's routing policy.

#include <functional>
#include <string>

#include "sim/base/json_reader.h"
#include "sim/topology/topology.h"

namespace syncsim {

// "kind", "forwards", "transit_bandwidth", "reduce_bandwidth", "peer_cost" and "abilities" (a list
// of "reduce" and "multicast"). Refuses other keys but "id".
Node read_node_figures(const JsonReader& entry);

// Refuses, at `at`, what Topology's constructor refuses of this node.
void check_node_alone(const JsonReader& at, const Node& node);

// What is not said is as in `base`; a gpu's nic, too. `find` gives a node's number, or throws
// InputError without a place.
RoutingPolicy read_routing_policy(const JsonReader& json,
                                  const std::function<NodeId(const std::string&)>& find,
                                  RoutingPolicy base = {});

}  // namespace syncsim
