#pragma once
// What came of running a schedule, simulated or real.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace syncsim {

struct OpTimes {
  Time ready;  // the last dependency finished
  Time start;  // first byte leaves (after overhead, latency and lane)
  Time finish;
};

struct ResourceTotals {
  std::string name;
  double capacity = 0;  // bytes/s; where it changed, its average over the run
  double bytes = 0;     // moved, times the coefficient
  Time busy;            // some flow was on it
  Time saturated;       // its capacity was used up
  double peak = 0;      // bytes/s; 0 where rates were not followed
};

struct Timeline {
  Time finish;  // of the last op
  std::uint64_t ops_done = 0;
  bool stopped = false;                   // by the watch: finish is the instant reached
  std::vector<OpTimes> ops;               // empty when only totals were recorded
  std::vector<ResourceTotals> resources;  // in the machine's order
  // Nodes, ascending, that staged transfers without a limit, as their transit is not known.
  std::vector<std::uint32_t> staged_freely = {};
};

}  // namespace syncsim
