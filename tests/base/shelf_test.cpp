// Files that are named without their path.

#include "sim/base/shelf.h"

#include <doctest/doctest.h>

#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::shelf_test {
namespace {

using Names = std::vector<std::string>;
using testing::refusal_of;

Shelf shelf_in(const std::string& directory) { return {directory, "tool", "tools", "hammer"}; }

}  // namespace

TEST_CASE("a shelf lists its JSON files, sorted, without those that have a second suffix") {
  const testing::TemporaryFolder folder;
  for (const char* name : {"b.json", "a.json", "tool.schema.json", "c.txt"}) folder.write(name, "");
  const Shelf shelf = shelf_in(folder.path());
  CHECK(names_on(shelf) == Names{"a", "b"});
  CHECK(path_on(shelf, "b") == folder.path() + "/b.json");
  CHECK(path_on(shelf, "b.json") == folder.path() + "/b.json");
}

TEST_CASE("what lies on no shelf is refused in the shelf's words") {
  const testing::TemporaryFolder folder;
  folder.write("anvil.json", "");
  const Shelf shelf = shelf_in(folder.path());
  CHECK(refusal_of([&] { path_on(shelf, "anvl"); }) ==
        R"(unknown tool "anvl"; did you mean "anvil"?)");
  CHECK(refusal_of([&] { path_on(shelf, "x.json"); }) ==
        R"(there is no file "x.json"; name a tool file, or a shipped hammer without ".json")");
  CHECK(refusal_of([] { path_on(shelf_in(""), "anvil"); }) ==
        R"(there is no shelf to find "anvil" on; write the path of a tool file)");
  CHECK(refusal_of([] { names_on(shelf_in("/nowhere")); }) ==
        "/nowhere: the tools cannot be listed: No such file or directory; name a directory of tool "
        "files");
}

TEST_CASE("a path is taken from beside, before the shelf") {
  const testing::TemporaryFolder folder;
  folder.write("shelf/a.json", "");
  folder.write("beside/a.json", "");
  const Shelf shelf = shelf_in(folder.path() + "/shelf");
  CHECK(path_on(shelf, "a.json", folder.path() + "/beside") == folder.path() + "/beside/a.json");
  CHECK(path_on(shelf, "./a.json", folder.path() + "/beside") ==
        folder.path() + "/beside/./a.json");
}

}  // namespace syncsim::shelf_test
