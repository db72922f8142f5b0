#pragma once
// A scenario file: points to run and what is expected of them (README, "Scenario files").
//   points  each entry of "points" (or one, without it) takes the file's own fields, then its own,
//           which win; "sweep" multiplies them by a grid, the last key fastest, which lies over the
//           file's own fields (formats.md) and may not set what points, or other keys of it, set.
//   expect  claims, see claims.h.

#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/scenario/claims.h"
#include "sim/scenario/point.h"

namespace syncsim {

inline constexpr std::size_t kMostPoints = 1'000'000;

struct Scenario {
  std::string file;
  std::string name;    // "name", or the file's name
  std::string source;  // where the claims come from, may be empty
  std::string note;
  std::vector<Point> points;
  std::vector<Expectation> expectations;
};

Scenario read_scenario(const JsonReader& json);

}  // namespace syncsim
