#pragma once
// A lane: a stream of ops that carry bytes one after the other (rule 7 of the engine).

#include <cstdint>

#include "sim/base/units.h"

namespace syncsim::engine {

inline constexpr std::uint32_t kNoLane = 0xffffffffu;

struct Lane {
  Time latency;
  Time overhead;
  double weight = 1;
  double maximum_rate = 0;  // 0: none
};

}  // namespace syncsim::engine
