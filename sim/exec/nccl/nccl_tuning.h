#pragma once
// The constants of NCCL's own model of time, and of RCCL's: topologies/rates/nccl.json, which names
// their source. GB/s per direction, us.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/exec/nccl/nccl_cutting.h"
#include "sim/topology/architecture.h"

namespace syncsim {

enum class NcclAlgorithm : std::uint8_t { tree, ring, pat, nvls, nvls_tree };
enum class NcclProtocol : std::uint8_t { ll, ll128, simple };
inline constexpr std::size_t kNcclAlgorithms = 5;
inline constexpr std::size_t kNcclProtocols = 3;
std::string_view to_string(NcclAlgorithm algorithm);     // "ring", "tree", "nvls", ...
std::string_view to_string(NcclProtocol protocol);       // "ll", "ll128", "simple"
enum class NcclHop : std::uint8_t { nvlink, pci, net };  // what a step crosses
enum class CpuMaker : std::uint8_t { intel, amd, other };

using ByProtocol = std::array<double, kNcclProtocols>;
using ByAlgorithm = std::array<ByProtocol, kNcclAlgorithms>;
using ByNodes = std::array<double, 3>;  // of 1, 2 to 3, and 4 or more nodes

// Of gpus from an architecture on. Caps of 0: none.
struct NcclGeneration {
  int from = 0;                // of compute capability, times 10
  double simple_factor = 1;    // of a ring's latency, Simple, all-reduce over several nodes
  double nvls_efficiency = 0;  // 0: has no NVLS
  int nvls_channels = 0;       // over several nodes
  std::vector<double> intra;   // speeds of a channel that the search tries, in one node
  std::vector<double> inter;   // and over several
  ByNodes ll{};                // of all channels
  ByNodes ring_ll128{};        // of a channel, as all further ones
  ByNodes tree_ll128{};
  ByNodes tree{};
  ByNodes nvls_tree{};
};

struct NcclTuning {
  ByAlgorithm base{};                // launch and what is fixed
  std::array<ByAlgorithm, 3> hop{};  // by NcclHop
  std::array<double, 3> post{};      // by CpuMaker: a network request
  ByProtocol ring_ratio{};           // of the channels' bandwidth
  double tree_ratio = 1;
  ByProtocol tree_protocol_ratio{};  // of the tree's, capped
  double tree_ll128_nodes_ratio = 1;
  double tree_one_gpu_ratio = 1;  // with one gpu a node
  double pat_ratio = 1;
  std::array<std::vector<double>, kNcclProtocols> correction;  // of trees: 64 B, 128 B, ...
  NcclCutting cutting;
  std::vector<NcclGeneration> generations;  // ascending

  const NcclGeneration& generation(Architecture architecture) const;
};

// NCCL's for NVIDIA's gpus, RCCL's for AMD's. Throws InputError with its place.
NcclTuning load_nccl_tuning(const std::string& directory, Architecture architecture);

}  // namespace syncsim
