#pragma once
// Small reading of the user's text.

#include <cstdint>
#include <string_view>

namespace syncsim {

inline constexpr std::string_view kBlanks = " \t";

// Without blanks at either end.
std::string_view trimmed(std::string_view text);

// The whole of `text` as a number in [least, most]. Throws InputError (without a place).
std::int64_t parse_integer(std::string_view text, std::int64_t least, std::int64_t most);

}  // namespace syncsim
