#pragma once
// The works that the benchmarks run. All links carry 16 GB/s a direction and take 1 us.

#include <cstdint>
#include <string>

#include "bench/flat_work.h"
#include "sim/schedule/schedule.h"
#include "sim/topology/topology.h"

namespace syncsim::bench {

// `gpus` GPUs around one switch.
Topology star(int gpus);

// 160 MB of int8 by the strategy, on the whole machine.
Schedule allreduce(const std::string& strategy, const Topology& machine);
// Ring allreduce of 160 MB; rank r begins after a random 0 to 2 ms.
Schedule skewed_ring(int ranks);

// All-to-all aggregation on a star: every rank sends every other its part, whose size is random
// within +-5 % (`jitter`), then every rank sends its sum to every other.
FlatWork all_to_all(int ranks, double jitter);

struct RandomTraffic {
  std::uint32_t flows = 10'000;
  double load = 0.5;         // of the hosts' links; starts are uniform over the time that it takes
  std::int64_t burst_ps = 0;  // instead: starts are uniform over this time
};
// On a fat tree of two levels: 16 leaves of 8 hosts, 8 spines, up by spine = destination mod 8.
// Sizes are log-uniform from 10 kB to 100 MB.
FlatWork random_traffic(const RandomTraffic& traffic);

}  // namespace syncsim::bench
