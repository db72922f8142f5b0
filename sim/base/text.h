#pragma once
// Small reading of the user's text.

#include <string_view>

namespace syncsim {

inline constexpr std::string_view kBlanks = " \t";

// Without blanks at either end.
std::string_view trimmed(std::string_view text);

}  // namespace syncsim
