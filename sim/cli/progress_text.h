#pragma once
// The line that a progress bar shows:
//   point 3 of 12: simulating 42 % [########            ], 12.3000 ms simulated, 8.2 M ops/s, 14 s
//   left
// What does not fit the width is left out, the least useful first; it never wraps.

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "sim/base/watch.h"

namespace syncsim::cli {

struct ProgressLine {
  Progress progress;
  std::size_t point = 0;  // from 1
  std::size_t points = 1;
  double stage_seconds = 0;  // since the stage began
  std::optional<double> seconds_left;
};

// Of the stage; above 1 never, though estimates of a total may be too low.
double share_of(const Progress& progress);

// Plain ASCII, shorter than `width` columns.
std::string progress_text(const ProgressLine& line, std::size_t width);

// Of a sweep: "37 of 120 points [######              ], 2.1 points/s, 40 s left, 3 refused".
struct SweepProgress {
  std::size_t done = 0;
  std::size_t points = 1;
  std::size_t done_before = 0;  // by a sweep that this one goes on with
  std::size_t refused = 0;
  double seconds = 0;
};
std::string progress_text(const SweepProgress& sweep, std::size_t width);

// How long it may still take, for a run that is as far as this.
struct Elapsed {
  Progress progress;
  double stage_seconds = 0;
  double point_seconds = 0;  // since the point began
  std::size_t finished_points = 0;
  double finished_seconds = 0;  // of those, in all
  std::size_t points = 1;
};
// `stages` are those that a point goes through. The running stage is extrapolated, later ones take
// their usual multiple of it, later points the mean of the finished ones. Nothing while too little
// of the stage is done.
std::optional<double> seconds_left(const Elapsed& elapsed, std::span<const Stage> stages);

}  // namespace syncsim::cli
