#include "sim/cli/input.h"

#include <iostream>

#include "sim/base/files_read.h"
#include "sim/base/text_file.h"

namespace syncsim::cli {

std::istream& standard_input() {
  std::ios::sync_with_stdio(false);  // else read byte by byte
  note_read("/dev/stdin");
  return std::cin;
}

Input read_input(const std::string& path, std::int64_t most, const std::string& what) {
  if (path != "-") return {path, read_text_file(path, most, what)};
  constexpr const char* kName = "standard input";
  return {kName, read_text(standard_input(), kName, most)};
}

}  // namespace syncsim::cli
