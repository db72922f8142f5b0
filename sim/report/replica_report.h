#pragma once
// What several runs of one training point came to, each with a seed of its own.
//   mean, deviation  of their step times; the deviation divides by count - 1
//   low, high        mean -+ t s / sqrt(count), t the 97.5 % quantile of Student's distribution
//   with
//                    count - 1 degrees of freedom: with so many runs again and again, 95 of 100
//                    such intervals would hold the true mean, if step times were normal
// All to the nearest picosecond.

#include <cstdint>
#include <span>

#include "sim/base/units.h"

namespace syncsim {

struct ReplicaReport {
  std::size_t count = 0;
  std::uint32_t seed = 0;  // of the first; the others' follow one by one
  Time first;              // its step
  Time mean;
  Time deviation;
  Time low;
  Time high;
  Time least;
  Time most;
};

// Of two steps or more.
ReplicaReport replica_report(std::span<const Time> steps, std::uint32_t seed);

}  // namespace syncsim
