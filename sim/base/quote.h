#pragma once
// Text of the user's inside one-line messages.

#include <string>
#include <string_view>

namespace syncsim {

// Control characters written as escapes, so that a message stays on one line.
std::string one_line(std::string_view text);

// In double quotes, on one line, cut after 60 characters.
std::string in_quotes(std::string_view text);

}  // namespace syncsim
