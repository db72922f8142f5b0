#pragma once
// Boxes and lines in a picture, and how much of one lies on another.

#include <limits>
#include <vector>

#include "sim/topology/drawing/picture.h"

namespace syncsim::drawing {

struct Box {  // covers nothing at first
  Spot low = {std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  Spot high = {std::numeric_limits<double>::lowest(), std::numeric_limits<double>::lowest()};

  void cover(Spot spot);
};

Box box_around(Spot middle, double width, double height);

// The square root of the area that two boxes share.
double overlap(const Box& a, const Box& b);

// A bundle's line as straight pieces.
struct Path {
  std::vector<std::vector<Spot>> spots;  // by curve
  Box around;
};
Path path_of(const Bundle& bundle);
double length_of(const Path& path);
double length_inside(const Box& box, const Path& path);

Spot on_cubic(const Spot* control, double part);  // 0: the first of four, 1: the last

}  // namespace syncsim::drawing
