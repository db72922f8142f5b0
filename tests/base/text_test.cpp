#include "sim/base/text.h"

#include <doctest/doctest.h>

#include "tests/support/refusal.h"

namespace syncsim::text_test {

using Pieces = std::vector<std::string_view>;

TEST_CASE("separated pieces are trimmed, and as many as separators and one more") {
  CHECK(separated("1,2,3", ',') == Pieces{"1", "2", "3"});
  CHECK(separated(" a b ; c", ';') == Pieces{"a b", "c"});
  CHECK(separated("a,,b,", ',') == Pieces{"a", "", "b", ""});
  CHECK(separated("", ',') == Pieces{""});
}

TEST_CASE("lengths are whole numbers with an x between, no more than asked for") {
  CHECK(parse_lengths("4x8", 1, 8, 2) == std::vector{4, 8});
  CHECK(parse_lengths("7", 1, 8, 2) == std::vector{7});
  const auto refused = [](std::string_view text) {
    return testing::refusal_of([&] { parse_lengths(text, 1, 8, 2); });
  };
  CHECK(refused("4x9") == "\"9\" is out of range; write one from 1 to 8");
  CHECK(refused("4x") == "\"\" is no whole number; write one from 1 to 8");
  CHECK(refused("1x1x1") == "\"1x1x1\" holds more than 2 numbers; write fewer");
}

TEST_CASE("things are counted in the singular and the plural") {
  CHECK(counted(1, "step") == "1 step");
  CHECK(counted(0, "step") == "0 steps");
  CHECK(counted(2, "step") == "2 steps");
}

}  // namespace syncsim::text_test
