#pragma once
// Which points a claim speaks of, and what to call one of several.

#include <span>
#include <string>
#include <vector>

#include "sim/scenario/claims.h"

namespace syncsim {

// Indices of the matching points, in order. Throws InputError at `place` when there are none, or at
// a field that no point could match.
std::vector<std::size_t> select(const Selector& selector, std::span<const Point> points,
                                std::span<const Report> reports, const JsonReader& place);

// What tells point `index` from its neighbours: its name, or the fields that differ among them; ""
// for a single point.
std::string point_label(std::size_t index, std::span<const Point> points,
                        std::span<const Report> reports);

}  // namespace syncsim
