#pragma once
// The memory of a run's places: pinned host memory, and that of its devices.

#include <vector>

#include "sim/exec/cuda/device/resources.h"
#include "sim/exec/cuda/device_map.h"
#include "sim/exec/cuda/place_runner.h"

namespace syncsim::cuda {

class PlaceMemory {
 public:
  // So many bytes by place. Keeps a reference to the map.
  PlaceMemory(const DeviceMap& map, const std::vector<std::uint64_t>& bytes);

  std::byte* at(const GraphPlace& place) const;
  void set(const GraphPlace& place, const std::byte* from, std::uint64_t bytes);
  void get(const GraphPlace& place, std::byte* to, std::uint64_t bytes);

 private:
  const DeviceMap& map_;
  PinnedMemory host_;
  std::vector<DeviceMemory> devices_;
};

}  // namespace syncsim::cuda
