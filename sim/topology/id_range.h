#pragma once
// Ranges in node ids: "gpu[0-3]" stands for gpu0 gpu1 gpu2 gpu3; several ranges multiply, the last
// one fastest; "cpu0" stands for itself. A range knows its size before it is expanded, so a huge
// one costs nothing.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncsim {

// The most nodes, and the most links (two a cable), that one file may expand to.
inline constexpr std::int64_t kMostNodes = 4'000'000;
inline constexpr std::size_t kLongestId = 200;

// How many ids the text stands for. Throws InputError for a malformed or descending range, for
// one of more than kMostNodes ids, and for text longer than kLongestId.
std::int64_t range_size(std::string_view text);
// The ids themselves; throws as range_size does.
std::vector<std::string> expand_range(std::string_view text);

}  // namespace syncsim
