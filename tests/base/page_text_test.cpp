#include "sim/base/page_text.h"

#include <doctest/doctest.h>

namespace syncsim::page_text_test {

TEST_CASE("lines that fit stay as they are, with and without an end") {
  const std::string fits(100, 'x');
  for (const std::string& text : {std::string(), fits, fits + "\n", "a  b\n\n  c\n" + fits + "\n"})
    CHECK(within_page(text) == text);
}

TEST_CASE("a longer line is broken at the last blank that fits, and goes on further in") {
  const std::string word(60, 'x');
  CHECK(within_page("  " + word + "  " + word + "\nnext\n") ==
        "  " + word + "\n    " + word + "\nnext\n");
  CHECK(within_page("  > " + word + " " + word) == "  > " + word + "\n  >   " + word);
  CHECK(within_page(std::string(99, 'a') + " b c") == std::string(99, 'a') + "\n  b c");
  CHECK(within_page(std::string(100, 'a') + " b") == std::string(100, 'a') + "\n  b");
}

TEST_CASE("characters count, not bytes") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\xc3\xa4";  // one letter of two bytes
  CHECK(within_page(text) == text);
  CHECK(within_page(text + " b") == text + "\n  b");
}

TEST_CASE("a word stays whole, however long: it may be a path") {
  const std::string path(150, 'p');
  CHECK(within_page(path) == path);
  CHECK(within_page("see " + path + " there") == "see\n  " + path + "\n  there");
}

TEST_CASE("a long list without blanks is broken behind a comma") {
  std::string list = "gpu0";
  for (int i = 1; i < 40; ++i) list += ",gpu" + std::to_string(i);
  const std::string text = within_page("ranks  " + list);
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
    CHECK(end - begin <= kPageWidth);
    CHECK(end - begin > 90);
    CHECK(text[end - 1] == ',');
  }
  CHECK(begin > 0);
}

}  // namespace syncsim::page_text_test
