#pragma once
// How far apart the ends of a path are, in NCCL's words (routing_policy.h): NVL when it is nvlink,
// xgmi and c2c all the way; else SYS over several cpus, a socket or the network, PHB through one
// cpu, PXB through several PCIe switches, PIX through one or none.

#include <span>
#include <vector>

#include "sim/topology/routing_policy.h"
#include "sim/topology/topology.h"

namespace syncsim {

// Of a route's links (Route::links) how many hops of the route come before each: ways of one
// stripe have the same number, and a node that is passed again has a second one.
std::vector<std::size_t> hops_before(const Topology& topology, std::span<const LinkId> links);

// Of links in path order, such as a route's or a part of it. Without links LOC.
PeerLevel path_level(const Topology& topology, std::span<const LinkId> links);

}  // namespace syncsim
