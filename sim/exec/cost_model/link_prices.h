#pragma once
// What links cost a library's steps: rates that its kernels reach and what a step takes beside its
// bytes, put onto a machine, so that any schedule runs on it at the library's cost.

#include <array>
#include <span>

#include "sim/exec/cost_model/library_profile.h"
#include "sim/topology/boxes.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct LinkPrices {
  std::array<double, kStepKinds> step{};  // us from gpu to gpu within a node, by StepKind
  double pace = 0;       // the part of a step that its channel is busy with; the rest is on the way
  double hop_pace = 0;   // the same of a hop
  double gpu_share = 1;  // of the usable rate of nvlink and xgmi
  double gpu_cap = 0;    // GB/s that leave a gpu by them at most; 0: none
  double pair_cap = 0;   // GB/s from a gpu to another that links join directly; 0: none
  double pcie_share = 1;           // of pcie, host and socket links
  PeerLevel p2p = PeerLevel::sys;  // farther peers are staged, whatever the machine allows
  double staging = 0;              // GB/s of a socket's memory, where peers are staged there
  double hop = 0;                  // us from gpu to gpu of another node
  double stored = 0;               // us more on such a way: nics take a piece before they send it
  double network_share = 1;        // of the line rate
  double nic_cap = 0;              // GB/s of a nic; 0: none
  double node_cap = 0;             // GB/s of the nics of a host, of up to 8 gpus; 0: none
};

// Of the nics of a node with `place`: those near to so many of its gpus, at least one.
double nics_in_use(const Place& place, double ranks);
// A rack that NVLink joins is of many hosts, of some gpus each.
double hosts_in(const Place& place);

// The machine with these as its usable rates and latencies; what network links have of their own
// stays and adds up. Rates above the line raise it. `ranks` may be of several nodes.
Topology priced(const Topology& machine, std::span<const NodeId> ranks, const LinkPrices& prices);

}  // namespace syncsim
