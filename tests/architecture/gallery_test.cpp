// What README's table of what-if questions promises.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "sim/base/text_file.h"

namespace syncsim::testing::gallery_test {
namespace fs = std::filesystem;

TEST_CASE("every what-if question has its line in README") {
  const fs::path root = SYNCSIM_SOURCE_DIR;
  const std::string readme = read_text_file((root / "README.md").string(), 1'000'000, "a text");
  int questions = 0;
  for (const auto& entry : fs::directory_iterator(root / "scenarios/what_if")) {
    const std::string name = entry.path().stem().string();
    CHECK_MESSAGE(readme.find("| `" + name + "` |") != std::string::npos, name);
    ++questions;
  }
  CHECK(questions >= 20);
}

}  // namespace syncsim::testing::gallery_test
