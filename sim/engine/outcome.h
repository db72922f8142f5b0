#pragma once
// What a run of the engine takes beside its work, and what it gives back.

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/usage_meter.h"

namespace syncsim::engine {

struct Totals {
  Time finish;
  std::uint64_t ops_done = 0;  // essential ones
  std::uint64_t solves = 0;    // instants at which flows came or went
  std::vector<ResourceUsage> resources;
};

// Thrown by rule 8. `blocked` holds at most 16 op indices, ascending; `unfinished` counts all.
struct Deadlock : std::runtime_error {
  Deadlock(std::vector<std::uint32_t> blocked, std::uint64_t unfinished);
  std::vector<std::uint32_t> blocked;
  std::uint64_t unfinished;
};

enum class Audit : bool { off, on };

}  // namespace syncsim::engine
