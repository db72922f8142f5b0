#pragma once
// The clocks of devices against this machine's steady clock. Devices' clocks are not one; each is
// read some times, and the reading that took least is taken: good to a few microseconds.

#include <cstdint>
#include <vector>

#include "sim/base/units.h"

namespace syncsim::cuda {

class DeviceClocks {
 public:
  explicit DeviceClocks(const std::vector<int>& devices);

  // On one clock for all, from when the clocks were made: by index into devices, from what
  // stamp_kernel() wrote.
  Time time(std::size_t device, std::uint64_t nanoseconds) const;

 private:
  struct Pair {
    std::int64_t host = 0;
    std::uint64_t device = 0;
  };
  std::vector<Pair> pairs_;  // the same moment, by device, in nanoseconds
};

}  // namespace syncsim::cuda
