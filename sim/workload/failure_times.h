#pragma once
// Gaps between failures: exponential, from the seed's numbers (base/random.h).

#include <cstdint>

#include "sim/base/random.h"

namespace syncsim {

class FailureTimes {
 public:
  FailureTimes(std::uint32_t seed, std::uint32_t replica)
      : chance_(seed, kStream), replica_(replica) {}

  // The next gap, in units of its mean.
  double gap() { return standard_exponential(chance_.uniform(replica_, next_++)); }

 private:
  static constexpr std::uint32_t kStream = 16;  // jitter has those below

  Chance chance_;
  std::uint32_t replica_;
  std::uint64_t next_ = 0;
};

}  // namespace syncsim
