#include "sim/exec/cuda/device/device_clocks.h"

#include <chrono>
#include <limits>

#include "sim/exec/cuda/device/kernels.h"
#include "sim/exec/cuda/device/resources.h"

namespace syncsim::cuda {
namespace {

constexpr int kReadings = 32;

std::int64_t host_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

DeviceClocks::DeviceClocks(const std::vector<int>& devices) {
  const std::int64_t origin = host_nanoseconds();
  const PinnedMemory read = pinned_memory(sizeof(std::uint64_t));
  void* at = read.get();
  void* arguments[] = {&at};
  for (const int device : devices) {
    select(device);
    const Stream stream = new_stream();
    Pair best;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < kReadings; ++i) {
      const std::int64_t begin = host_nanoseconds();
      check(cudaLaunchKernel(stamp_kernel(), dim3(1), dim3(1), arguments, 0, stream.get()),
            "reading a device's clock");
      check(cudaStreamSynchronize(stream.get()), "reading a device's clock");
      const std::int64_t end = host_nanoseconds();
      if (end - begin >= least) continue;
      least = end - begin;
      best = {begin + (end - begin) / 2 - origin, *static_cast<const std::uint64_t*>(at)};
    }
    pairs_.push_back(best);
  }
}

Time DeviceClocks::time(std::size_t device, std::uint64_t nanoseconds) const {
  const Pair& pair = pairs_[device];
  return {(static_cast<std::int64_t>(nanoseconds - pair.device) + pair.host) * 1'000};
}

}  // namespace syncsim::cuda
