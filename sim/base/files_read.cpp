#include "sim/base/files_read.h"

#include <sys/stat.h>

#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace syncsim {
namespace {

using Identity = std::pair<dev_t, ino_t>;

std::optional<Identity> identity_of(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

struct FilesRead {
  std::mutex mutex;
  std::set<Identity> files;
};

FilesRead& files_read() {
  static FilesRead files;
  return files;
}

}  // namespace

void note_read(const std::string& path) {
  const std::optional<Identity> file = identity_of(path);
  if (!file) return;
  FilesRead& read = files_read();
  const std::lock_guard lock(read.mutex);
  read.files.insert(*file);
}

bool was_read(const std::string& path) {
  const std::optional<Identity> file = identity_of(path);
  FilesRead& read = files_read();
  const std::lock_guard lock(read.mutex);
  return file && read.files.contains(*file);
}

}  // namespace syncsim
