#pragma once
// Colour for people: only on a terminal, and neither where TERM is "dumb" nor where NO_COLOR is set
// (no-color.org). CLICOLOR_FORCE, other than 0, asks for it everywhere.

#include <string>
#include <string_view>

namespace syncsim::cli {

bool takes_colour(int file);

// The text, or, where the file takes colour, the text so set off.
std::string red(std::string_view text, int file);
std::string bold(std::string_view text, int file);

// "syncsim: ", as a line on stderr begins that says what is wrong.
std::string error_prefix();

}  // namespace syncsim::cli
