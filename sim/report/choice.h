#pragma once
// A choice among strategies, as reports tell it: what was tried, and what was taken.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace syncsim {

// One candidate.
struct Tried {
  std::string strategy;
  std::map<std::string, std::string> parameters;  // those that differ from the defaults
  std::optional<Time> time;                       // none: it did not finish
  std::string why;                                // it did not
};

struct Choice {
  std::string strategy;
  std::map<std::string, std::string> parameters;  // all of them
  std::map<std::string, std::string> changed;     // those that differ from the defaults
  std::vector<Tried> tried;  // the fastest first, then those that did not finish
};

// "ring chunks=8".
std::string strategy_text(const std::string& strategy,
                          const std::map<std::string, std::string>& changed);

// "the fastest of 61 candidates; next distributed 5.0889 us, swing 7.4889 us": the two strategies
// that come next, each at its best, where they are at most twice as slow.
std::string choice_text(const Choice& choice);

}  // namespace syncsim
