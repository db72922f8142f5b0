#pragma once
// Which measured points a fit does not see, so that its predictions are tested on them: of the
// sizes of a series (points alike in all but their size), ascending, every k-th (k of 2 or more),
// never the smallest or the largest. Series of as few as k sizes have none.

#include <string>
#include <vector>

#include "sim/base/units.h"

namespace syncsim {

struct SizedPoint {
  std::string series;
  Bytes bytes;
};

// One a point; `every` 0: none.
std::vector<bool> held_out(const std::vector<SizedPoint>& points, int every);

}  // namespace syncsim
