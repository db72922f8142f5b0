#pragma once
// Work on data at the places of a run (device_map.h), done by devices or, in tests, in their place.

#include <cstddef>
#include <cstdint>

#include "sim/exec/cuda/device_map.h"

namespace syncsim {

// `offset` counts from the begin of what a run has at that place.
struct GraphPlace {
  std::uint32_t place = kHostPlace;
  std::uint64_t offset = 0;
  friend bool operator==(const GraphPlace&, const GraphPlace&) = default;
};

class PlaceRunner {
 public:
  virtual ~PlaceRunner() = default;

  virtual void set(const GraphPlace& at, const std::byte* from, std::uint64_t bytes) = 0;
  virtual void get(const GraphPlace& at, std::byte* to, std::uint64_t bytes) = 0;
  // The work once, and how long it took.
  virtual Time run() = 0;
};

}  // namespace syncsim
