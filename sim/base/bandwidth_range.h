#pragma once
// Which bandwidths files and options may say, besides 0 where that is allowed: 1 B/s to 1000000
// TB/s. What edits make of them stays within it too.

#include "sim/base/units.h"

namespace syncsim {

inline constexpr Bandwidth kLeastBandwidth{1};
inline constexpr Bandwidth kMostBandwidth{1e18};

}  // namespace syncsim
