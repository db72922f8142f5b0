// Words of pasted text, and what is passed over between them.

#include <doctest/doctest.h>

#include "sim/topology/import/pasted_text.h"

namespace syncsim::pasted_text_test {
namespace {

std::string words(std::string_view text) {
  PastedText lines(text);
  std::string result;
  while (lines.next_line())
    for (PastedWord word = lines.next_word(); !word.text.empty(); word = lines.next_word())
      result += std::to_string(word.line) + ":" + std::to_string(word.column) + "=" +
                std::string(word.text) + " ";
  return result;
}

}  // namespace

TEST_CASE("words have their line and column, whatever ends the lines") {
  CHECK(words("a bc\n\n  d") == "1:1=a 1:3=bc 3:3=d ");
  CHECK(words("a\tbc \r\nd\r\n") == "1:1=a 1:3=bc 2:1=d ");
  CHECK(words("") == "");
  CHECK(words(" \n") == "");
}

TEST_CASE("colour codes count for columns and are no part of words") {
  CHECK(words("\x1b[4mGPU0\x1b[0m X") == "1:5=GPU0 1:14=X ");
  CHECK(words("\x1b[1;31mA\x1b[K\x1b[?25h") == "1:8=A ");
  CHECK(words("[4mGPU0[0m") == "1:4=GPU0 ");
  CHECK(words("[P2P test]") == "1:1=[P2P 1:6=test] ");
  CHECK(words("\x1b") == "");
  CHECK(words("\x1b[") == "1:2=[ ");
}

TEST_CASE("byte order marks, no-break spaces, zero bytes and quotation marks are blanks") {
  CHECK(words("\xEF\xBB\xBF"
              "a\xC2\xA0"
              "b") == "1:4=a 1:7=b ");
  CHECK(words(std::string_view("a\0b", 3)) == "1:1=a 1:3=b ");
  CHECK(words("> > a > b") == "1:5=a 1:7=> 1:9=b ");
}

TEST_CASE("a line can be read again, and its rest taken whole") {
  PastedText lines("a  b c \nd");
  REQUIRE(lines.next_line());
  CHECK(lines.rest() == "a  b c");
  CHECK(lines.next_word().text == "a");
  CHECK(lines.rest() == "b c");
  lines.rewind();
  CHECK(lines.next_word().text == "a");
  REQUIRE(lines.next_line());
  CHECK(lines.next_word().text == "d");
  const PastedWord end = lines.next_word();
  CHECK(end.text.empty());
  CHECK(place_of("f", end) == "f:2:2");
  CHECK(!lines.next_line());
}

}  // namespace syncsim::pasted_text_test
