#pragma once
// Where the labels of lines stand. Of many spots on a line and beside it each label takes the one
// that costs least, the most cramped label first, then all of them once more:
// 1. Labels keep off other labels first of all, then off figures, then off other lines, which could
//    be taken for their own.
// 2. A label on its line hides some of it, and is unmistakable: arcs and slanted lines have it
//    there. Upright and level lines have it beside them, unless that is where others are.
// Nothing here depends on time. The work is bounded by kMostLabels and kMostLines; there are no
// labels beyond them.

#include <cstddef>

#include "sim/topology/drawing/picture.h"
#include "sim/topology/graphviz.h"

namespace syncsim::drawing {

inline constexpr std::size_t kMostLabels = 160;
inline constexpr std::size_t kMostLines = 2'000;  // of a picture with labels

// Gives the bundles of a picture that is laid out their labels, in their places.
void label(Picture& picture, const DrawingOptions& options);

}  // namespace syncsim::drawing
