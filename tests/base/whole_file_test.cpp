#include "sim/base/whole_file.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::whole_file_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

void write(const std::string& path, const std::string& text) {
  WholeFile file(path);
  file.stream() << text;
  file.finish();
}

}  // namespace

TEST_CASE("the file is in its place once it is finished, and nothing else") {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path() + "/a.csv";
  write(path, "one");
  CHECK(text_of(path) == "one");
  write(path, "two");
  CHECK(text_of(path) == "two");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("without finish() what was there before stays, and nothing is left over") {
  const testing::TemporaryFolder folder;
  const std::string path = folder.write("a.csv", "old");
  {
    WholeFile file(path);
    file.stream() << "new";
  }
  CHECK(text_of(path) == "old");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a symbolic link stays one, and its file is replaced") {
  const testing::TemporaryFolder folder;
  const std::string path = folder.write("a.csv", "old");
  fs::create_symlink(path, folder.path() + "/link.csv");
  write(folder.path() + "/link.csv", "new");
  CHECK(fs::is_symlink(folder.path() + "/link.csv"));
  CHECK(text_of(path) == "new");
}

TEST_CASE("what is no file is written as it is") {
  write("/dev/null", "text");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("what cannot be written is refused") {
  CHECK(testing::refusal_of([] { WholeFile("no/such/a.csv"); }) ==
        R"("no/such/a.csv" cannot be written: No such file or directory; )"
        "check the path, its permissions and the disk");
  CHECK(testing::refusal_of([] { write("/dev/full", "text"); }) ==
        R"("/dev/full" cannot be written: No space left on device; )"
        "check the path, its permissions and the disk");
  const std::string larger(100'000, 'x');  // than a stream's buffer: it fails before finish()
  CHECK(testing::refusal_of([&] { write("/dev/full", larger); }) ==
        R"("/dev/full" cannot be written: No space left on device; )"
        "check the path, its permissions and the disk");
  CHECK(testing::refusal_of([] { WholeFile("/dev"); }) ==
        R"("/dev" is no file; name a file to write)");
  CHECK(testing::refusal_of([] { WholeFile(""); }) == R"("" is no file; name a file to write)");
}

}  // namespace syncsim::whole_file_test
