#pragma once
// CSV as RFC 4180 has it, with LF at line ends.

#include <span>
#include <string>

namespace syncsim::csv {

// In quotes where it has to be.
std::string field(const std::string& text);
// Of whole fields: commas between them, LF at the end.
std::string line(std::span<const std::string> fields);

}  // namespace syncsim::csv
