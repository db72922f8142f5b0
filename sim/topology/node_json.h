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

// `find` gives a node's number, or throws InputError without a place.
RoutingPolicy read_routing_policy(const JsonReader& json,
                                  const std::function<NodeId(const std::string&)>& find);

}  // namespace syncsim
