#include "sim/base/whole_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "sim/base/error.h"
#include "sim/base/quote.h"

namespace syncsim {
namespace {

namespace fs = std::filesystem;

InputError unwritable(const std::string& path, const std::error_code& why) {
  return {fmt::format("{} cannot be written: {}", in_quotes(path), why.message()),
          "check the path, its permissions and the disk"};
}

std::error_code last_error() { return {errno == 0 ? EIO : errno, std::generic_category()}; }

// Of a stream whose write failed some time ago: another one fails alike.
std::error_code why_failed(std::ofstream& stream) {
  stream.clear();
  errno = 0;
  stream.put(' ').flush();
  return last_error();
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : path_(path), target_(path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (path.empty() || is_directory(status))
    throw InputError(fmt::format("{} is no file", in_quotes(path)), "name a file to write");
  const bool replaces = !exists(status) || is_regular_file(status);
  if (is_regular_file(status)) target_ = fs::canonical(path, failure);  // behind symbolic links
  written_ = target_;
  if (replaces) written_ += fmt::format(".{}.part", getpid());
  errno = 0;
  stream_.open(written_, std::ios::binary);
  if (!stream_) throw unwritable(path_, last_error());
}

WholeFile::~WholeFile() {
  if (finished_ || written_ == target_) return;
  stream_.close();
  std::error_code ignored;
  fs::remove(written_, ignored);
}

void WholeFile::finish() {
  if (!stream_) throw unwritable(path_, why_failed(stream_));
  errno = 0;
  stream_.close();
  if (!stream_) throw unwritable(path_, last_error());
  std::error_code failure;
  if (written_ != target_) {
    const fs::file_status old = fs::status(target_, failure);
    if (exists(old)) fs::permissions(written_, old.permissions(), failure);
    failure.clear();
    fs::rename(written_, target_, failure);
  }
  if (failure) throw unwritable(path_, failure);
  finished_ = true;
}

}  // namespace syncsim
