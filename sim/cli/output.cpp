#include "sim/cli/output.h"

#include <filesystem>
#include <iostream>
#include <span>
#include <system_error>
#include <utility>

#include "sim/base/files_read.h"
#include "sim/base/quote.h"
#include "sim/cli/options.h"

namespace syncsim::cli {

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code failure;
  if (std::filesystem::equivalent(a, b, failure)) return true;
  const auto whole = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, failure), failure);
  };
  return whole(a) == whole(b);
}

void refuse_collisions(const std::vector<NamedFile>& outputs,
                       const std::vector<NamedFile>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NamedFile& output = outputs[i];
    for (const NamedFile& other : std::span(outputs).first(i))
      if (is_same_file(output.path, other.path))
        throw InputError(in_quotes(output.path) + " is the file of " + other.option + ", too",
                         "name two files", output.option);
    for (const NamedFile& input : inputs)
      if (std::filesystem::exists(input.path) && is_same_file(output.path, input.path))
        throw InputError(in_quotes(output.path) + " is what " + input.option + " reads",
                         "name another file", output.option);
  }
}

Output::Output(std::string option, const std::optional<std::string>& path)
    : option_(std::move(option)), path_(path) {
  if (!path_) return;
  refuse_read();
  from_option(option_, [&] { file_.emplace(*path_); });
}

void Output::refuse_read() const {
  if (was_read(*path_))
    throw InputError(in_quotes(*path_) + " is what this command reads", "name another file",
                     option_);
}

std::ostream& Output::stream() { return file_ ? file_->stream() : std::cout; }

void Output::finish() {
  if (!file_) {
    std::cout << std::flush;
    return;
  }
  refuse_read();
  from_option(option_, [&] { file_->finish(); });
}

}  // namespace syncsim::cli
