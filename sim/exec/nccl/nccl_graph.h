#pragma once
// What NCCL's model of time knows of a machine: the channels that its search would find,
// simplified.
//
// 1. A node is what links other than the network's join; the one of the first rank stands for all.
// 2. For each speed of the generation's list, descending, channels are laid one after another until
//    one finds no way; channels x speed decides, and a speed of at most 0.49 of the best's ends the
//    search. A ring passes all ranks of the node by the machine's routes and takes its speed from
//    all that it passes; over several nodes it comes by a nic and goes by one.
// 3. Ranks of one node that are joined directly: as many rings as links have room for
//    (ring_packing.h), both ways round, instead.
// 4. Channels of 25 GB/s or more are doubled and halved in speed, up to 32, except on gpus past
//    sm_80 with more than 4 channels below 50 GB/s.
// Rates are NCCL's: usable ones (topo.h's, as files have them), of the network line rates. What
// flows share in host memory, the transit of CPUs, it does not know.

#include <span>

#include "sim/exec/nccl/nccl_tuning.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct NcclGraph {
  Architecture architecture;
  CpuMaker cpu = CpuMaker::other;
  int ranks = 0;
  int nodes = 0;
  double ranks_per_node = 0;
  bool nvlink = false;    // within a node (xGMI, too)
  bool switched = false;  // by switches, so that all channels may be the same
  bool nics_near = true;  // no host bridge between a nic and the rank beside it
  int links = 0;          // of NVLink or xGMI, from a rank to all others of its node
  int peer_links = 0;     // and to the one that it has fewest to
  int channels = 0;
  double speed = 0;       // of a channel, GB/s, as all further ones
  double tree_speed = 0;  // within a node
  int nvls_channels = 0;  // 0: no NVLS
  double nvls_speed = 0;
  double nvls_net_speed = 0;
};

// Throws InputError, without a place, where gpus do not say their architecture, or no nic joins the
// nodes.
NcclGraph find_nccl_graph(const Topology& topology, std::span<const NodeId> ranks,
                          const NcclTuning& tuning);

// The architecture of the ranks. Throws as find_nccl_graph.
Architecture nccl_architecture(const Topology& topology, std::span<const NodeId> ranks);

// GB/s from a rank to another where ranks send to each other point to point: each to the next one
// (send-recv), or each to all at once.
enum class NcclPeers : std::uint8_t { next, all };
double nccl_peer_rate(const Topology& topology, std::span<const NodeId> ranks, NcclPeers peers);

}  // namespace syncsim
