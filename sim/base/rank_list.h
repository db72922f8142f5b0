#pragma once
// Ranks as people write them: "0-3", "0,2,4-6", "3-0" (descending).

#include <string_view>
#include <vector>

namespace syncsim {

inline constexpr int kMostRanks = 1 << 24;

// Throws InputError for anything else and for doubles.
std::vector<int> parse_ranks(std::string_view text);

}  // namespace syncsim
