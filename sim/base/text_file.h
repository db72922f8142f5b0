#pragma once
// A file of text, read whole.

#include <cstdint>
#include <string>

namespace syncsim {

// Refuses what is no file, cannot be read, or has more than `most` bytes. `what` says which file
// would be right: "a CSV file of flows".
std::string read_text_file(const std::string& path, std::int64_t most, const std::string& what);

}  // namespace syncsim
