#pragma once
// Which participant's buffers stay where in a run on GPUs. Rank r is on the (r mod size)-th of the
// devices asked for, so several ranks may share one; helpers are in pinned host memory, as CPUs
// are.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/exec/cuda/cuda_facts.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

inline constexpr std::uint32_t kHostPlace = 0;

struct DeviceMap {
  std::vector<int> devices;             // ordinals, in the order of their first ranks
  std::vector<std::uint32_t> place_of;  // by participant: kHostPlace, or 1 + an index into devices

  int device(std::uint32_t place) const { return devices[place - std::size_t{1}]; }
  std::uint32_t places() const { return static_cast<std::uint32_t>(devices.size()) + 1; }
  std::size_t ranks_on(std::uint32_t place) const;
};

// `asked`: ordinals, one for each of the first ranks, over again for the others; empty: all devices
// there are. Throws InputError (with --devices as its place) for one that is not there, or is named
// twice: ranks share a device when there are more of them than devices.
DeviceMap map_devices(const Schedule& schedule, const std::vector<int>& asked,
                      const CudaFacts& facts);

// "rank 0, 2 on device 0 (NVIDIA A100), rank 1 on device 1 (...)", where ranks share devices, and
// what is in host memory; a line each.
std::vector<std::string> notes_of(const DeviceMap& map, const Schedule& schedule,
                                  const CudaFacts& facts);

}  // namespace syncsim
