#pragma once
// Routes, as hardware takes them. Of all paths from -> to whose inner nodes forward:
// 1. Class: the worst link of the path decides; nvlink, xgmi, c2c (0) before pcie (1) before host
//    and socket (2) before network (3).
// 2. Fewest hops.  3. Widest (largest bottleneck).  4. Least latency.
// 5. Paths still equal: where the ways on from a node are all `stripe`, the flow is spread evenly
//    over all of them (coefficient 1/k each, multiplied along the path); otherwise the ways are
//    ordered by link id and way (seed + channel + destination node) mod k is taken.
// A resource that is passed several times adds its coefficients. An inner node with a transit
// bandwidth adds its transit resource. Routes are searched on demand, from both ends at once, and
// cached by pair (and, where rule 5 leaves a choice, by channel). Not thread-safe: each run has its
// own Router.

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/topology/resources.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct Route {
  std::vector<ResourceUse> uses;  // in path order, each resource once
  std::vector<LinkId> links;      // in path order; of a spread route, all its links
  Time latency;                   // of the longest branch
  Time overhead;                  // the largest overhead of its links
  int route_class = 0;            // rule 1
  int hops = 0;
  double bottleneck = 0;  // bytes/s: the least capacity / coefficient; infinity without links
};

// Rule 1: 0 (nvlink, xgmi, c2c), 1 (pcie), 2 (host, socket) or 3 (network).
int route_class(LinkKind kind);

class Router {
 public:
  // Keeps references: both must outlive the router.
  Router(const Topology& topology, const Resources& resources, std::uint32_t seed = 0);
  ~Router();
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  // from == to gives a route of no links. Throws InputError naming both nodes when no path exists.
  // The reference stays valid as long as the router.
  const Route& route(NodeId from, NodeId to, std::uint32_t channel = 0);
  // The same without the cache, for callers that ask for each route once.
  Route find(NodeId from, NodeId to, std::uint32_t channel = 0);
  bool reachable(NodeId from, NodeId to);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace syncsim
