#pragma once
// What a collective library's calls cost on top of what the machine's links and the schedule say:
// topologies/rates/library_costs.json, where every constant stands with the tables that it was
// fitted to. us, GB/s per direction, bytes.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/exec/cost_model/library_terms.h"
#include "sim/exec/nccl/nccl_tuning.h"
#include "sim/topology/architecture.h"

namespace syncsim {

// What a step within a node crosses: NVLink by way of switches, NVLink from gpu to gpu, xGMI, PCIe
// from device to device, PCIe by way of host memory.
enum class StepKind : std::uint8_t { switched, direct, xgmi, pcie, staged };
inline constexpr std::size_t kStepKinds = 5;

// One process that drives several gpus of a node issues a call to one after another: so long does a
// call take at least.
struct HostCost {
  std::string before;  // of libraries older than this version; empty: of all others
  double per_gpu = 0;
  double fixed = 0;
};

// Of the usable rate of gpus' own links, from an architecture on; of AMD's of one family.
struct UsableShare {
  Architecture from;
  double share = 1;
};

// Of a hop over the network by a stack, where the conditions hold; the first row that fits counts.
struct NetworkCost {
  std::string name;  // for people: "EFA 1"
  Network stack = Network::infiniband;
  std::string before;          // of libraries older than this version; empty: of any
  double nic_at_most = 0;      // GB/s of a nic; 0: any
  int sm_below = 0;            // 0: any
  std::optional<bool> c2c;     // whether gpus hang on their cpu by C2C
  double call = 0;             // us, once a call
  ByProtocol hop{};            // us from gpu to gpu of another node
  double share = 1;            // of the line rate
  double node_cap = 0;         // GB/s a node, 0: none
  ByProtocol nic_cap{};        // GB/s a nic of 12.5 GB/s at most, by protocol; 0: none
  ByProtocol stored{};         // bytes at most that a nic takes whole before it sends them
  double rendezvous = 0;       // us a hop more,
  double rendezvous_from = 0;  // from so many bytes of a call on; LL and LL128
};

// Of the row that an architecture has: of NVIDIA's the latest that it is not older than.
double share_of(const std::vector<UsableShare>& rows, Architecture architecture,
                double without = 1);

struct LibraryProfile {
  double call = 0;  // us of every call: launch of a kernel, its first and last synchronization
  std::vector<HostCost> host;
  std::array<ByProtocol, kStepKinds> step{};  // us from gpu to gpu within a node
  ByProtocol pace{};                          // the part of a step that its channel is busy with
  ByProtocol hop_pace{};                      // the same of a hop over the network
  ByProtocol chunk{};                         // bytes of a channel that trees send at a time
  ByProtocol chain_chunk{};                   // the same from or to a root
  std::vector<UsableShare> shares;
  double pcie_share = 1;        // of PCIe's usable rate, from device to device, both ways at once
  double staged_share = 1;      // the same by way of host memory
  double one_way_share = 1;     // the same where data goes one way only
  double pcie_pairs_share = 1;  // of either, where ranks send to each other point to point
  double staging = 0;           // GB/s that a socket's memory copies, in and out counted each
  double staged_ll = 1;         // LL by way of host memory: its share
  ByProtocol efficiency{};      // of the wire
  ByProtocol busy_bytes{};      // of a call, that keep one channel busy; of LL in rings by rank
  double ll_cap = 1;            // of NCCL's own cap of LL
  double tree_share = 1;        // of the rates, where trees run
  double nvls_call = 0;         // us of a call with NVLS
  std::vector<UsableShare> nvls_shares;  // of the gpus' links, where switches add up
  double nvls_tree_near_share = 1;       // in nodes, where trees go on
  double nvls_tree_share = 1;            // of the network's
  double nvls_tree_hop = 0;              // us a hop more
  double nvls_tree_rack = 0;             // GB/s of a node of many hosts, where trees go on; 0: any
  double channel_rate = 0;               // GB/s of one channel; 0: not known
  std::vector<UsableShare> peer_channel_rates;  // GB/s of a channel between two gpus of a node
  double far_channel_rate = 0;    // GB/s of a channel over the network, point to point; 0: any
  double pair_rate = 0;           // GB/s between two gpus over the network, point to point
  double pair_call = 0;           // us a peer over the network
  double near_pair_call = 0;      // us a peer within the node
  double pairs_share = 1;         // of the nics, where all send to all
  double shared_pairs_share = 1;  // the same where gpus share nics
  double near_pairs_share = 1;    // of the gpus' links, the same
  std::vector<NetworkCost> networks;

  const HostCost& host_cost(const std::string& version) const;
};

// What stacks are called.
struct NetworkName {
  std::string_view name;
  std::string_view description;
  Network network;
};
std::vector<NetworkName> network_names();

// "nccl" or "rccl", of a file as library_costs.json. Throws InputError with its place.
LibraryProfile load_library_profile(const std::string& path, const std::string& library);

// Whether a version as "2.19.3" is older than another; parts that are no numbers count as 0.
bool is_older(const std::string& version, const std::string& than);

}  // namespace syncsim
