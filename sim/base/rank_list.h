#pragma once
// Ranks as people write them: "0-3", "0,2,4-6", "3-0" (descending).

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace syncsim {

inline constexpr int kMostRanks = 1 << 24;

// Throws InputError for anything else and for doubles.
std::vector<int> parse_ranks(std::string_view text);

// Of ascending ranks, those that follow each other together: "0-3", "6".
std::vector<std::string> ranges_of(std::span<const std::size_t> ranks);

}  // namespace syncsim
