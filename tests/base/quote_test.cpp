#include "sim/base/quote.h"

#include <doctest/doctest.h>

namespace syncsim::quote_test {
namespace {

TEST_CASE("control characters are escaped and all others are kept") {
  CHECK(one_line("a\nb\tc\rd\x1b\x7f") == "a\\nb\\tc\\x0dd\\x1b\\x7f");
  CHECK(one_line("gr\u00fc\u00dfe \"x\" \\") == "gr\u00fc\u00dfe \"x\" \\");
}

TEST_CASE("text of up to 60 bytes is quoted whole, longer text is cut") {
  CHECK(in_quotes("") == R"("")");
  CHECK(in_quotes("two\nlines") == R"("two\nlines")");
  CHECK(in_quotes(std::string(60, 'a')) == "\"" + std::string(60, 'a') + "\"");
  CHECK(in_quotes(std::string(61, 'a')) == "\"" + std::string(60, 'a') + "...\"");
}

TEST_CASE("a cut never falls inside a UTF-8 character") {
  const std::string front(59, 'a');
  CHECK(in_quotes(front + "\u00fc") == "\"" + front + "...\"");
  CHECK(in_quotes(std::string(58, 'a') + "\u00fcx") == "\"" + std::string(58, 'a') + "\u00fc...\"");
}

}  // namespace
}  // namespace syncsim::quote_test
