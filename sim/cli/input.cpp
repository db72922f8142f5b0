#include "sim/cli/input.h"

#include <iostream>

#include "sim/base/text_file.h"

namespace syncsim::cli {

Input read_input(const std::string& path, std::int64_t most, const std::string& what) {
  if (path != "-") return {path, read_text_file(path, most, what)};
  std::ios::sync_with_stdio(false);  // else read byte by byte
  constexpr const char* kName = "standard input";
  return {kName, read_text(std::cin, kName, most)};
}

}  // namespace syncsim::cli
