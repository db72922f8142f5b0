#include "sim/base/text.h"

#include <doctest/doctest.h>

namespace syncsim {

using Pieces = std::vector<std::string_view>;

TEST_CASE("separated pieces are trimmed, and as many as separators and one more") {
  CHECK(separated("1,2,3", ',') == Pieces{"1", "2", "3"});
  CHECK(separated(" a b ; c", ';') == Pieces{"a b", "c"});
  CHECK(separated("a,,b,", ',') == Pieces{"a", "", "b", ""});
  CHECK(separated("", ',') == Pieces{""});
}

}  // namespace syncsim
