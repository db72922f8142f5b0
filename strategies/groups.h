#pragma once
// How a hierarchy groups ranks. The parameter `groups` is
//   auto       the machine's boxes (boxes.h); of one box, the ranks near each cpu; else one group
//   8          sizes: groups of 8 ranks that follow each other, the last one smaller if need be
//   4x8        of several levels, the lowest last: groups of 8, and 4 of these in each group above
//   0-3;4-7    the ranks of each group

#include <string>
#include <vector>

#include "sim/schedule/strategy.h"

namespace syncsim::strategy {

struct Groups {
  std::vector<std::vector<int>> ranks;  // by group; every rank in one, no group empty
  std::string above = "";               // `groups` of the levels above, if there are any

  // Whether all have as many ranks.
  bool equal() const;
  int count() const { return static_cast<int>(ranks.size()); }
};

// Throws InputError for text that is none of these, for sizes of which there are not as many ranks,
// and for lists that leave out a rank, name one twice, or one that is not there.
Groups chosen_groups(const StrategyInput& input);

// "2 of 8 ranks", "3 of 2 to 4 ranks", for people.
std::string description(const Groups& groups);

}  // namespace syncsim::strategy
