#pragma once
// What the CUDA runtime and NVML say of this machine's devices. Plain values, so that all that
// follows from them can be tested where there is no device.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace syncsim {

struct CudaDevice {
  std::string name;          // "NVIDIA H100 80GB HBM3"
  std::string pci;           // "0000:3b:00.0", the device's address
  std::uint64_t memory = 0;  // bytes
  std::uint64_t free = 0;    // bytes of it
  Bandwidth bandwidth;       // of its memory, as clock and width of the bus give it; 0: unknown
  int capability = 0;        // 90 for sm_90
  int numa = -1;             // of the host, that it is next to; -1: unknown
  int pcie_generation = 0;   // that device and slot can do, not what an idle link says; 0: unknown
  int pcie_lanes = 0;
  int switch_nvlinks = 0;     // that lead to NVSwitches
  std::vector<int> nvlinks;   // by device: that lead to it; empty: unknown
  std::vector<bool> reaches;  // by device: whether its memory can be mapped here
};

struct CudaFacts {
  std::vector<CudaDevice> devices;  // by ordinal
  std::vector<std::string> notes;   // on what could not be learnt, for people
};

// Two transfers a clock over so many bits, as all memory of GPUs has it.
constexpr Bandwidth memory_bandwidth(double hertz, int bits) { return {2 * hertz * bits / 8}; }

// Throws InputError where there is no CUDA in this build, no driver or no device.
CudaFacts cuda_facts();

}  // namespace syncsim
