#pragma once
// Routes, as hardware takes them. Of all paths from -> to whose inner nodes forward (rules 1 to 5;
// the policy of the machine, routing_policy.h, may lead through other nodes: rules 6 to 9):
// 1. Class: the worst link of the path decides; nvlink, xgmi, c2c (0) before pcie (1) before host
//    and socket (2) before network (3).
// 2. Fewest hops.  3. Widest (largest bottleneck).  4. Least latency.
// 5. Paths still equal: of the ways on from a node, those that are `stripe` are one, over which the
//    flow is spread in proportion to what each can carry to the destination (coefficients multiply
//    along the path; a stripe is as wide as all its ways together, as slow as its slowest). A
//    stripe and the ways that are not, by link id, are what is chosen from. Nics come first: of
//    the k that the paths pass first, number (i + (seed + channel) g) mod k, where the source is
//    gpu i of its box and g gpus share such k (k x gpus / nics of the box, at least 1); then the
//    same of the destination among those that can still be passed last. So gpu i has its own nic,
//    or part of them, in which channels go around. Then the ways through the fabric, with c =
//    seed + channel + the destination's place (the number of its box + its number among the box's
//    nodes of its kind; boxes.h): first way c mod k, then way (c / k) mod k' and so on, digit by
//    digit, the D-mod-k routing of fat trees.
// 6. Peer-to-peer: two gpus that are farther apart than the policy's level are staged in the host
//    memory of the source's nearest cpu: both legs, the cpu's transit twice. The level LOC stages
//    NVLink pairs too.
// 7. ACS: what would pass from device to device (gpu or nic) without a cpu goes up to the nearest
//    cpu of the gpu and down again. Without GPUDirect (gdr) the way between gpu and nic is staged.
//    Both hold for nics on the way over the network, and for nics as ends.
// 8. Relays: nvb, two gpus without NVLink go through a gpu that both have it to, the widest (equal
//    ones by channel); pxn, a gpu goes by NVLink to the gpu of its box that has the destination's
//    number, if less of the network is then passed, or as much, by another nic or over fewer
//    links (NCCL, too, prefers the rail of the destination); not at LOC, nor where rule 9 gives
//    it a nic.
// 9. A nic that the policy gives to a gpu, or a run to a flow (NicPair), is passed instead of the
//    nearest on the way over the network: from there on, and up to there, by the network only.
// 10. Packets through a host bridge with a peer cost, from PCIe to PCIe and not staged, use their
//     PCIe links up to the devices so many times (those of a stripe as often as its dearest way).
// A resource that is passed several times adds its coefficients. An inner node with a transit
// bandwidth adds its transit resource. Routes are searched on demand, from both ends at once, and
// cached by pair (and, where there is a choice, by channel). Not thread-safe: each run has its own
// Router.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/topology/resources.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct Route {
  std::vector<ResourceUse> uses;  // in path order, each resource once
  std::vector<LinkId> links;      // in path order; of a spread route, all its links
  Time latency;                   // of the longest branch
  Time overhead;                  // the largest overhead of its links
  int route_class = 0;            // rule 1; of several legs, the worst
  int hops = 0;
  double bottleneck = 0;  // bytes/s: the least capacity / coefficient; infinity without links
  std::vector<NodeId> staged_freely;  // cpus that stage it whose transit is not known: no limit
};

// Rule 1: 0 (nvlink, xgmi, c2c), 1 (pcie), 2 (host, socket) or 3 (network).
int route_class(LinkKind kind);

// Whether a link carries what its ends send each other without anything between: of class 0, and
// peers are not all staged (P2P level LOC).
bool is_direct(const Topology& topology, const Link& link);

// The nics by which a flow leaves its source, and comes to its destination, where these are not
// reached without the network. Each nic is one of its end's own machine.
struct NicPair {
  std::optional<NodeId> out;
  std::optional<NodeId> in;
  friend bool operator==(const NicPair&, const NicPair&) = default;
};

class Router {
 public:
  // Keeps references: both must outlive the router.
  Router(const Topology& topology, const Resources& resources, std::uint32_t seed = 0,
         Plane plane = Plane::all);
  ~Router();
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  // from == to gives a route of no links. Throws InputError naming both nodes when no path exists,
  // or what keeps the policy or the given nics from being followed. The reference stays valid as
  // long as the router.
  const Route& route(NodeId from, NodeId to, std::uint32_t channel = 0, const NicPair& nics = {});
  // The same without the cache, for callers that ask for each route once.
  Route find(NodeId from, NodeId to, std::uint32_t channel = 0, const NicPair& nics = {});
  bool reachable(NodeId from, NodeId to);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace syncsim
