#pragma once
// Text of the user's inside one-line messages.

#include <string>
#include <string_view>
#include <vector>

namespace syncsim {

bool has_control(std::string_view text);

// Control characters written as escapes, so that a message stays on one line.
std::string one_line(std::string_view text);

// The same, and bytes that are no UTF-8, or U+FFFE or U+FFFF, as "\xff": what XML may hold.
std::string printable(std::string_view text);

// Of UTF-8: how many characters it has, and how many bytes its first `count` take.
std::size_t characters(std::string_view text);
std::size_t prefix_of(std::string_view text, std::size_t count);

// Lines of at most `width` characters, broken at blanks where there are any. At least one.
std::vector<std::string> wrapped(std::string text, std::size_t width);

// In double quotes, printable, cut after 60 bytes.
std::string in_quotes(std::string_view text);

}  // namespace syncsim
