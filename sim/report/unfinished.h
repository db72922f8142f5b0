#pragma once
// What is known of a point that was interrupted.

#include <cstddef>
#include <optional>
#include <string>

#include "sim/base/units.h"
#include "sim/base/watch.h"

namespace syncsim {

struct Unfinished {
  std::size_t point = 0;  // from 1
  std::size_t points = 0;
  std::string strategy;
  Bytes bytes;                       // of the collective
  std::optional<Progress> progress;  // none: it had not begun
  Bytes delivered;

  // "point 3 of 12 (ring, 160 MB) while simulating: 5 of 9 ops done, 2 ms simulated, 1 GB
  // delivered".
  std::string text() const;
};

// "while simulating: 5 of 9 ops done, 2 ms simulated".
std::string progress_so_far(const Progress& progress, const std::string& things);

}  // namespace syncsim
