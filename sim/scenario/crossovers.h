#pragma once
// Finds the sizes at which the fastest strategy changes. Between two sizes with different winners
// the geometric mean decides, and so on in both halves, until sizes lie within kCrossoverFactor or
// no size of whole elements is left between them. So a third winner in between is found as well
// where a mean meets it; one that rules between two sizes of the same winner is not looked for.
// Strategies are told apart by name, not by parameters.

#include <functional>

#include "sim/report/winners.h"

namespace syncsim {

// The winner's report at a size.
using WinnerAt = std::function<Report(Bytes bytes)>;

// Adds the crossovers between the sizes of `winners`, in ascending order; those found stay when
// `winner_at` throws.
void add_crossovers(Winners& winners, const WinnerAt& winner_at);

}  // namespace syncsim
