#include "sim/base/text_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "sim/base/error.h"
#include "sim/base/files_read.h"
#include "sim/base/units.h"

namespace syncsim {

// A pipe tells its size only by being read; one byte more than allowed shows that there is more.
std::string read_text(std::istream& stream, const std::string& name, std::int64_t most) {
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
    throw InputError("is longer than " + to_string(Bytes{most}), "give a shorter one", name);
  return text;
}

std::string read_text_file(const std::string& path, std::int64_t most, const std::string& what) {
  if (path.empty()) throw InputError("the path is empty", "name " + what);
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  if (!exists(status)) throw InputError("there is no such file", "name " + what, path);
  if (is_directory(status)) throw InputError("is a directory", "name " + what, path);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw InputError("the file cannot be read", "check its permissions", path);
  note_read(path);
  return read_text(stream, path, most);
}

std::optional<std::string> text_if_file(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return std::nullopt;
  note_read(path);
  return text;
}

}  // namespace syncsim
