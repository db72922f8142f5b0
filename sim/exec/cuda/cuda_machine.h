#pragma once
// This machine's GPUs as a topology, from what the CUDA runtime and NVML say of them. Nothing is
// measured: link rates are those of the profile, as for other importers.
//   NVLinks       cables between the GPUs that they join, or to one NVSwitch
//   PCIe          each GPU by itself at the CPU of its NUMA node (switches below it are not told)
//   memory        a GPU adds up at a third of its memory's bandwidth: two reads, a write. Ranks
//   that
//                 share a GPU join a switch hbm0, whose transit is half of it: a read, a write
//   peer access   GPUs that do not reach each other are staged through host memory

#include <string>
#include <vector>

#include "sim/exec/cuda/cuda_facts.h"
#include "sim/topology/import/link_rates.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct CudaMachine {
  Topology::Parts parts;  // the name is left to the caller
  std::vector<std::string> warnings;
};

// Rank r is on device r mod devices, as in runs; `ranks` 0: one a device. An empty profile is
// chosen by the devices' compute capability. Throws InputError for an unknown one, and for ranks
// that share a device of unknown bandwidth.
CudaMachine cuda_machine(const CudaFacts& facts, const LinkRates& rates, const std::string& profile,
                         int ranks);

}  // namespace syncsim
