#pragma once
// Text that a command reads whole.

#include <cstdint>
#include <istream>
#include <string>

namespace syncsim::cli {

// To be read whole; no output may lead to its file.
std::istream& standard_input();

struct Input {
  std::string name;  // for places: the path, or "standard input"
  std::string text;
};

// `path` "-" is standard input. Refuses what is no file, or longer than `most` bytes. `what` says
// which file would be right: "a text to import".
Input read_input(const std::string& path, std::int64_t most, const std::string& what);

}  // namespace syncsim::cli
