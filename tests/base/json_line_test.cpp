// The line of a value in a JSON text.

#include <doctest/doctest.h>

#include "sim/base/json_line.h"

namespace syncsim::json_line_test {

TEST_CASE("a JSON pointer leads to the line where its value begins") {
  const std::string text =
      "{\n\"a\": 1\n,\n\"b/c\": [true,\n[\n2\n], \"x\"],\n\"d\":\n{\"e\": null}}";
  CHECK(line_in(text, "") == 1);
  CHECK(line_in(text, "/a") == 2);
  CHECK(line_in(text, "/b~1c") == 4);
  CHECK(line_in(text, "/b~1c/0") == 4);
  CHECK(line_in(text, "/b~1c/1") == 5);
  CHECK(line_in(text, "/b~1c/1/0") == 6);
  CHECK(line_in(text, "/b~1c/2") == 7);
  CHECK(line_in(text, "/d") == 9);
  CHECK(line_in(text, "/d/e") == 9);
}

TEST_CASE("where there is no such value there is no line") {
  CHECK_FALSE(line_in("{\"a\": [1]}", "/b"));
  CHECK_FALSE(line_in("{\"a\": [1]}", "/a/1"));
  CHECK_FALSE(line_in("", "/a"));
  CHECK_FALSE(line_of("/no/such/file.json", "/a"));
}

}  // namespace syncsim::json_line_test
