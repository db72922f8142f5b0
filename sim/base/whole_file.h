#pragma once
// A file that is there whole or not at all: written beside its place, and renamed when it is
// complete. A program that fails or is stopped leaves what was there before.

#include <filesystem>
#include <fstream>
#include <string>

namespace syncsim {

class WholeFile {
 public:
  // Opens at once, so that a path that cannot be written is told before the work begins. What is no
  // regular file (a pipe, /dev/stdout) is written directly. Throws InputError without a place.
  explicit WholeFile(const std::string& path);
  ~WholeFile();  // takes an unfinished file away
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  std::ostream& stream() { return stream_; }
  // Puts the file in its place. Throws InputError without a place when it could not be written.
  void finish();

 private:
  std::string path_;               // as the user wrote it
  std::filesystem::path target_;   // what it leads to
  std::filesystem::path written_;  // where the text goes until it is complete
  std::ofstream stream_;
  bool finished_ = false;
};

}  // namespace syncsim
