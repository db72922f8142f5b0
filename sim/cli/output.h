#pragma once
// Where a command's result goes: to a file that an option names, there whole or not at all, or to
// standard output.

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "sim/base/whole_file.h"

namespace syncsim::cli {

// A file that the command line names, and how: by "--trace".
struct NamedFile {
  std::string option;
  std::string path;
};

// Whether two paths lead to one file, there or not.
bool is_same_file(const std::string& a, const std::string& b);

// Throws InputError where two outputs lead to one file, or one to what is read: before the work.
// What else is read, as files name it, an Output finds out itself.
void refuse_collisions(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);

class Output {
 public:
  // Opens at once, so that a path that cannot be written is told before the work begins. Throws
  // InputError for a file that this process has read, here and in finish().
  Output(std::string option, const std::optional<std::string>& path);

  std::ostream& stream();
  void finish();

 private:
  void refuse_read() const;

  std::string option_;
  std::optional<std::string> path_;
  std::optional<WholeFile> file_;
};

}  // namespace syncsim::cli
