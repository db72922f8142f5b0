#pragma once
// Whether a run fits, before anything is allocated for it.

#include <cstdint>
#include <span>

#include "sim/base/memory.h"
#include "sim/exec/cuda/device_map.h"

namespace syncsim {

// In host memory, with `buffers` bytes of data. Throws InputError.
void require_host_room(const Schedule& schedule, std::uint64_t buffers, const MemoryLimit& limit);

// In each device's memory, by place. Throws InputError that names the device.
void require_device_room(std::span<const std::uint64_t> bytes, const DeviceMap& map,
                         const CudaFacts& facts);

}  // namespace syncsim
