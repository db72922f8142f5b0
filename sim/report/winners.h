#pragma once
// The fastest strategy at each of several sizes, and the sizes between which it changes. JSON keys
// are stable.

#include <span>
#include <string>
#include <vector>

#include "sim/report/report.h"

namespace syncsim {

// Sizes that lie so close together are told apart no further.
inline constexpr double kCrossoverFactor = 1.05;

// Neighbouring sizes with different winners.
struct Crossover {
  Report below;
  Report above;
};

struct Winners {
  std::vector<Report> sizes;  // ascending
  std::vector<Crossover> crossovers;
};

std::string winners_text(const Winners& winners);
std::string winners_json(const Winners& winners);
// A row each size, those beside crossovers among them.
std::string winners_csv(const Winners& winners);

}  // namespace syncsim
