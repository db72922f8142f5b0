#pragma once
// Which points a claim speaks of, and what to call one of several.

#include <span>
#include <string>
#include <vector>

#include "sim/scenario/selector.h"

namespace syncsim {

// Indices of the matching points, in order. Throws InputError when there are none, at the field
// that left none, with the values that the points have there.
std::vector<std::size_t> select(const Selector& selector, std::span<const Point> points,
                                std::span<const Report> reports);

// What tells point `index` from its neighbours: its name, and the fields that differ among its
// namesakes; without a name those that differ among all; "" for a single point.
std::string point_label(std::size_t index, std::span<const Point> points,
                        std::span<const Report> reports);

}  // namespace syncsim
