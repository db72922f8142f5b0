#pragma once
// Works beyond a thousand ranks, run only at scale:
//   ring/N                ring allreduce on N GPUs around one switch, N up to 4,096
//   hierarchical/2048x8   16,384 GPUs: direct reduce-scatter inside every machine, on every rail a
//                         double binary tree over the machines, direct all-gather inside
//   double_tree/65536     double binary tree on 65,536 GPUs around one switch
//
// The machine of 2,048 x 8 is rail-optimized: each machine has 8 GPUs on an NVSwitch (300 GB/s a
// direction, 0.5 us) and a NIC per GPU (PCIe, 64 GB/s); NIC i of every machine is on rail i, one
// switch without limits of its own (25 GB/s a NIC, 1 us).

#include <vector>

#include "bench/works.h"

namespace syncsim::bench {

std::vector<ScheduleCase> scale_cases();

}  // namespace syncsim::bench
