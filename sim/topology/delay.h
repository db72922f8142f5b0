#pragma once
// Latencies and overheads have a limit: no route of kMostNodes hops that each take the longest may
// add up to more than a Time holds.

#include <cstdint>
#include <string_view>

#include "sim/base/units.h"
#include "sim/topology/id_range.h"

namespace syncsim {

inline constexpr Time kMostDelay{1'000'000'000'000};  // 1 s
static_assert(kMostDelay.ps <= INT64_MAX / kMostNodes / 2);

// Throw InputError without a place beyond the limit.
Time checked_delay(Time time);
Time parse_delay(std::string_view text);

}  // namespace syncsim
