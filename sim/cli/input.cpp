#include "sim/cli/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

#include "sim/base/error.h"
#include "sim/base/units.h"

namespace syncsim::cli {
namespace {

// One byte more than allowed shows that there is more.
std::string read_all(std::istream& stream, const std::string& name, std::int64_t most) {
  constexpr std::int64_t kBlock = 1 << 20;
  std::string text;
  while (stream && static_cast<std::int64_t>(text.size()) <= most) {
    const std::size_t size = text.size();
    text.resize(size + static_cast<std::size_t>(kBlock));
    stream.read(text.data() + size, kBlock);
    text.resize(size + static_cast<std::size_t>(stream.gcount()));
  }
  if (stream.bad()) throw InputError("cannot be read", "check the file and the disk", name);
  if (static_cast<std::int64_t>(text.size()) > most)
    throw InputError(fmt::format("is longer than {}", to_string(Bytes{most})), "give a shorter one",
                     name);
  return text;
}

}  // namespace

Input read_input(const std::string& path, std::int64_t most, const std::string& what) {
  if (path.empty()) throw InputError("the path is empty", "name " + what);
  if (path == "-") {
    std::ios::sync_with_stdio(false);  // else read byte by byte
    return {"standard input", read_all(std::cin, "standard input", most)};
  }
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (!exists(status)) throw InputError("there is no such file", "name " + what, path);
  if (is_directory(status)) throw InputError("is a directory", "name " + what, path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError("the file cannot be read", "check its permissions", path);
  return {path, read_all(stream, path, most)};
}

}  // namespace syncsim::cli
