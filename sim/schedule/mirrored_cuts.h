#pragma once
// Copies between different places carry cuts over: both slices have to be cut alike. Found for all
// copies of a pass at once, so that chains of copies do not take a pass each.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/schedule/builder.h"

namespace syncsim {

// Boundaries of every buffer, ascending, in the order of creation.
using Cuts = std::vector<std::vector<std::int64_t>>;

// Two slices of one size.
struct SlicePair {
  Slice source;
  Slice destination;
};

// Adds to the cuts what makes the slices of each pair alike, in rounds until nothing is missing, or
// until `most_rounds`.
void mirror_cuts(Cuts& cuts, std::span<const SlicePair> pairs, int most_rounds);

}  // namespace syncsim
