#pragma once
// Traffic that no strategy emits. Same arguments, same flows.

#include "bench/flow_graph.h"
#include "bench/random.h"

namespace syncsim::bench {

inline constexpr std::int64_t kAllreduceBytes = 160'000'000;

// Distributed aggregation on a star: every rank sends every other its part, whose size is random
// within +-`jitter` (0.05: 5 %), then every rank sends its sum to every other.
FlowGraph jittered_all_to_all(std::uint32_t ranks, double jitter);

struct RandomTraffic {
  std::uint32_t flows = 10'000;
  double load = 0.5;          // of the hosts' links; starts are uniform over the time that it takes
  std::int64_t burst_ps = 0;  // instead: starts are uniform over this time
};
// On the fat tree, between random hosts. Sizes are log-uniform from 10 kB to 100 MB.
FlowGraph random_traffic(const RandomTraffic& traffic);

}  // namespace syncsim::bench
