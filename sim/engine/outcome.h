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
  std::uint64_t solves = 0;    // instants at which flows came or went, or capacities changed
  bool stopped = false;        // by the watch; finish is then the instant reached
  std::vector<ResourceUsage> resources;
};

// An op under way over a resource of capacity 0.
struct Stall {
  std::uint32_t op = 0;
  ResourceIndex resource = 0;
  friend bool operator==(const Stall&, const Stall&) = default;
};

// Thrown by rule 8. `blocked` holds at most 16 op indices, ascending; `unfinished` counts all.
// Those of them that stall are counted by `stalled`; `stalls` holds at most 16, by lane.
struct Deadlock : std::runtime_error {
  Deadlock(std::vector<std::uint32_t> blocked, std::uint64_t unfinished,
           std::vector<Stall> stalls = {}, std::uint64_t stalled = 0);
  std::vector<std::uint32_t> blocked;
  std::uint64_t unfinished;
  std::vector<Stall> stalls;
  std::uint64_t stalled;
};

enum class Audit : bool { off, on };

}  // namespace syncsim::engine
