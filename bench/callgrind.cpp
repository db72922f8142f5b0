#include "bench/callgrind.h"

#include <stdlib.h>  // mkdtemp

#include <filesystem>
#include <fstream>

#include "bench/child.h"
#include "sim/base/error.h"

namespace syncsim::bench {
namespace {

namespace fs = std::filesystem;

const char* const kValgrind = "/usr/bin/valgrind";

class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (fs::temp_directory_path() / "syncsim-counts-XXXXXX").string();
    require(mkdtemp(path_.data()) != nullptr, "no temporary folder");
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  fs::path operator/(const char* name) const { return fs::path(path_) / name; }

 private:
  std::string path_;
};

// "totals: 6541234", near the end of what callgrind writes.
std::uint64_t total_in(const fs::path& profile) {
  std::ifstream file(profile);
  std::uint64_t total = 0;
  for (std::string word; file >> word;)
    if (word == "totals:") file >> total;
  return total;
}

}  // namespace

Count count_instructions(const std::string& functions, const std::vector<std::string>& command) {
  if (!fs::exists(kValgrind))
    throw InputError("no valgrind here", "install it (Debian: valgrind)", kValgrind);
  const TemporaryFolder folder;
  const fs::path profile = folder / "profile";
  std::vector<std::string> words = {kValgrind, "-q", "--tool=callgrind",
                                    "--toggle-collect=" + functions,
                                    "--callgrind-out-file=" + profile.string()};
  words.insert(words.end(), command.begin(), command.end());
  const Outcome outcome = run_child(words);
  require(outcome.good(), command.front() + " failed under valgrind");
  const std::uint64_t instructions = total_in(profile);
  require(instructions > 0, "no function \"" + functions + "\" was run");
  return {instructions, outcome.output};
}

}  // namespace syncsim::bench
