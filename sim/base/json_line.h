#pragma once
// Where in a JSON file a value stands, for tools that speak of lines.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace syncsim {

// The line (from 1) on which the value begins that `pointer` ("/expect/3", RFC 6901) names in the
// file. None where the file cannot be read again (a pipe) or has no such value.
std::optional<std::size_t> line_of(const std::string& file, std::string_view pointer);

// The same of a text, which has to be sound JSON.
std::optional<std::size_t> line_in(std::string_view text, std::string_view pointer);

}  // namespace syncsim
