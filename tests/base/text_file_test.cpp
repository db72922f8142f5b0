#include "sim/base/text_file.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::text_file_test {
namespace {

std::string refusal(const std::string& path, std::int64_t most) {
  return testing::refusal_of([&] { read_text_file(path, most, "a log"); });
}

}  // namespace

TEST_CASE("a file is read whole, up to its limit") {
  const testing::TemporaryFolder folder;
  const std::string text = std::string(200'000, 'x') + "\r\n" + std::string(1, '\0');
  const std::string path = folder.write("a.txt", text);
  CHECK(read_text_file(path, 200'003, "a log") == text);
  CHECK(refusal(path, 200'002) == path + ": is longer than 200002 B; give a shorter one");
  CHECK(read_text_file(folder.write("b.txt", ""), 0, "a log") == "");
}

TEST_CASE("what is no file is refused") {
  const testing::TemporaryFolder folder;
  CHECK(refusal("", 1) == "the path is empty; name a log");
  CHECK(refusal(folder.path(), 1) == folder.path() + ": is a directory; name a log");
  CHECK(refusal(folder.path() + "/no", 1) ==
        folder.path() + "/no: there is no such file; name a log");
}

TEST_CASE("text that may be missing: of a regular file, else none") {
  const testing::TemporaryFolder folder;
  const std::string text("a\r\n\0b", 5);
  CHECK(text_if_file(folder.write("a.txt", text)) == text);
  CHECK(text_if_file(folder.write("b.txt", "")) == "");
  CHECK_FALSE(text_if_file(folder.path()).has_value());
  CHECK_FALSE(text_if_file(folder.path() + "/no.txt").has_value());
  CHECK_FALSE(text_if_file("").has_value());
}

}  // namespace syncsim::text_file_test
