#pragma once
// Where the lead changes between two strategies that ran at the same sizes. Between two sizes the
// difference of their times is taken as linear in the size, as latency plus bytes / bandwidth is.
// Sizes at which both take the same time have no leader; where the lead changes across such sizes,
// it does so at the first of them.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace syncsim {

// Both at one size.
struct Contest {
  Bytes bytes;
  Time first;
  Time second;
};

struct LeadChange {
  Bytes below;  // the last size of the old leader
  Bytes above;  // the first size of the new one
  double at = 0;
  bool to_second = true;
};

// `contests` in ascending order of sizes.
std::vector<LeadChange> lead_changes(std::span<const Contest> contests);

// The size from which on the second is faster, where it is so once and for all, and the sizes
// between which it lies; or what happens instead: "never: the first is faster throughout".
struct Crossing {
  std::optional<double> at;  // bytes
  std::string text;
  std::string between = {};
};
Crossing crossing_of(std::span<const Contest> contests);

}  // namespace syncsim
