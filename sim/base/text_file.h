#pragma once
// Text read whole, of a bounded length.

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

namespace syncsim {

// To the end of the stream, which errors call `name`. Refuses more than `most` bytes.
std::string read_text(std::istream& stream, const std::string& name, std::int64_t most);
// Refuses what is no file, too. `what` says which file would be right: "a CSV file of flows".
std::string read_text_file(const std::string& path, std::int64_t most, const std::string& what);
// All of a regular file, whatever its length; none where there is no such, or it cannot be read.
std::optional<std::string> text_if_file(const std::string& path);

}  // namespace syncsim
