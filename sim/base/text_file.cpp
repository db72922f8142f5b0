#include "sim/base/text_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/units.h"

namespace syncsim {

std::string read_text_file(const std::string& path, std::int64_t most, const std::string& what) {
  if (path.empty()) throw InputError("the path is empty", "name " + what);
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  if (!exists(status)) throw InputError("there is no such file", "name " + what, path);
  if (is_directory(status)) throw InputError("is a directory", "name " + what, path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError("the file cannot be read", "check its permissions", path);
  std::string text;
  std::vector<char> block(1 << 16);
  while (stream) {  // a pipe tells its size only by being read
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    if (static_cast<std::int64_t>(text.size()) > most)
      throw InputError("is longer than " + to_string(Bytes{most}), "name " + what, path);
  }
  if (stream.bad()) throw InputError("the file cannot be read to its end", "check the disk", path);
  return text;
}

}  // namespace syncsim
