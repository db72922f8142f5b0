#pragma once
// What a choice among strategies tries: every strategy that does the collective, at its defaults,
// and with every combination of the values that its parameters' rows say are worth trying. So a new
// row of the registry is a candidate by itself.

#include <map>
#include <string>
#include <vector>

#include "sim/schedule/strategy.h"

namespace syncsim {

struct Candidate {
  std::string strategy;
  std::map<std::string, std::string> parameters = {};  // those that differ from the defaults
};

// The defaults first; then the first parameter slowest.
std::vector<Candidate> candidates(const Strategy& strategy);
// All strategies' defaults, by name; then what differs from them, by name.
std::vector<Candidate> candidates(CollectiveKind kind);

}  // namespace syncsim
