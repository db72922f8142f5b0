#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "sim/base/json_reader.h"
#include "tests/support/refusal.h"

namespace syncsim::json_file_test {
namespace {

// A directory of this process's own, removed with all its files.
class Directory {
 public:
  Directory()
      : path_(std::filesystem::temp_directory_path() /
              ("syncsim_json_" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path_);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  ~Directory() { std::filesystem::remove_all(path_); }

  std::string path(const std::string& file) const { return (path_ / file).string(); }
  std::string write(const std::string& file, std::string_view text) const {
    std::ofstream(path(file), std::ios::binary) << text;
    return path(file);
  }

 private:
  std::filesystem::path path_;
};

std::string refusal(const std::string& path) {
  return testing::refusal_of([&] { JsonFile::load(path); });
}

TEST_CASE("a loaded file gives its values, placed under its path") {
  const Directory directory;
  const std::string path = directory.write("pcie.json", R"({"name": "pcie"})");
  const JsonReader name = JsonFile::load(path).root().required("name");
  CHECK(name.string() == "pcie");
  CHECK(name.file() == path);
  CHECK(name.place() == path + ":/name");
}

TEST_CASE("a malformed file is refused under its path") {
  const Directory directory;
  const std::string path = directory.write("bad.json", "{\n  \"a\" 1\n}");
  CHECK(refusal(path) == path + ":2:7: unexpected '1'; write ':' between a key and its value");
}

TEST_CASE("a missing file, a directory and an empty file are refused") {
  const Directory directory;
  CHECK(refusal("") == "the path is empty; name a JSON file");
  CHECK(refusal(directory.path("none.json")) ==
        directory.path("none.json") + ": there is no such file; check the path");
  const std::string file = directory.write("empty.json", "");
  CHECK(refusal(file + "/x.json") == file + "/x.json: there is no such file; check the path");
  CHECK(refusal(directory.path("")) == directory.path("") + ": is a directory; name a JSON file");
  CHECK(refusal(file) == file + ": the file is empty; write a JSON object");
}

TEST_CASE("a file that may not be read is refused") {
  if (geteuid() == 0) return;  // root may read all files
  const Directory directory;
  const std::string path = directory.write("secret.json", "{}");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  CHECK(refusal(path) == path + ": the file cannot be read; check its permissions");
}

TEST_CASE("a file over 256 MiB is refused before it is read") {
  const Directory directory;
  const std::string path = directory.write("large.json", "{}");
  std::filesystem::resize_file(path, (std::uintmax_t{256} << 20) + 1);
  CHECK(refusal(path) == path + ": the file is larger than 256 MiB; split it into smaller files");
}

TEST_CASE("a pipe is read to its end") {
  const Directory directory;
  const std::string path = directory.path("pipe");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const std::string text = "[" + std::string(200'000, ' ') + "1]";
  const std::jthread writer([&] { std::ofstream(path) << text; });
  const auto elements = JsonFile::load(path).root().elements();
  REQUIRE(elements.size() == 1);
  CHECK(elements[0].integer() == 1);
}

TEST_CASE("a reader keeps the values of its file alive") {
  const auto value = [] {
    const JsonFile file = JsonFile::parse(R"({"list": ["first", "second"]})", "f.json");
    return file.root().required("list").elements()[1];
  }();
  CHECK(value.string() == "second");
  CHECK(value.place() == "f.json:/list/1");
}

}  // namespace
}  // namespace syncsim::json_file_test
