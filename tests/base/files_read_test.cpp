#include "sim/base/files_read.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "sim/base/json_reader.h"
#include "sim/base/text_file.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::files_read_test {

TEST_CASE("a file that was read is known by whatever path leads to it, another is not") {
  const testing::TemporaryFolder folder;
  const std::string read = folder.write("a.txt", "text");
  const std::string same = folder.write("b.txt", "text");
  std::filesystem::create_symlink(read, folder.path() + "/link.txt");
  std::filesystem::create_hard_link(read, folder.path() + "/name.txt");
  CHECK_FALSE(was_read(read));
  note_read(read);
  CHECK(was_read(read));
  CHECK(was_read(folder.path() + "/./a.txt"));
  CHECK(was_read(folder.path() + "/link.txt"));
  CHECK(was_read(folder.path() + "/name.txt"));
  CHECK_FALSE(was_read(same));
  CHECK_FALSE(was_read(folder.path() + "/none.txt"));
}

TEST_CASE("all ways to read a file whole are noted, of a directory or a device none is") {
  const testing::TemporaryFolder folder;
  const std::string json = folder.write("a.json", "{}");
  const std::string text = folder.write("a.txt", "text");
  const std::string whole = folder.write("b.txt", "text");
  JsonFile::load(json);
  read_text_file(text, 10, "a text");
  CHECK(text_if_file(whole) == "text");
  note_read(folder.path());
  note_read("/dev/null");
  CHECK(was_read(json));
  CHECK(was_read(text));
  CHECK(was_read(whole));
  CHECK_FALSE(was_read(folder.path()));
  CHECK_FALSE(was_read("/dev/null"));
}

}  // namespace syncsim::files_read_test
