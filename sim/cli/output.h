#pragma once
// Where a command's result goes: to a file that an option names, there whole or not at all, or to
// standard output.

#include <optional>
#include <ostream>
#include <string>

#include "sim/base/whole_file.h"

namespace syncsim::cli {

class Output {
 public:
  // Opens at once, so that a path that cannot be written is told before the work begins.
  Output(std::string option, const std::optional<std::string>& path);

  std::ostream& stream();
  void finish();

 private:
  std::string option_;
  std::optional<WholeFile> file_;
};

}  // namespace syncsim::cli
