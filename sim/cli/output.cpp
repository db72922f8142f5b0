#include "sim/cli/output.h"

#include <iostream>
#include <utility>

#include "sim/cli/options.h"

namespace syncsim::cli {

Output::Output(std::string option, const std::optional<std::string>& path)
    : option_(std::move(option)) {
  if (path) from_option(option_, [&] { file_.emplace(*path); });
}

std::ostream& Output::stream() { return file_ ? file_->stream() : std::cout; }

void Output::finish() {
  if (file_)
    from_option(option_, [&] { file_->finish(); });
  else
    std::cout << std::flush;
}

}  // namespace syncsim::cli
