#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "sim/base/json_reader.h"
#include "tests/support/refusal.h"

namespace syncsim::json_parse_test {
namespace {

std::string refusal(std::string_view text) {
  return testing::refusal_of([&] { JsonFile::parse(text, "f.json"); });
}

const std::string kWriteValue =
    "write a number, a string in double quotes, true, false, null, [...] or {...}";

TEST_CASE("text without a value is empty") {
  CHECK(refusal("") == "f.json: the file is empty; write a JSON object");
  CHECK(refusal(" \t\r\n") == "f.json: the file is empty; write a JSON object");
}

TEST_CASE("text that ends too early names what may follow, at its end") {
  CHECK(refusal("{") == "f.json:1:2: the text ends too early; write a key in double quotes here");
  CHECK(refusal("[1,\n2") == "f.json:2:2: the text ends too early; write ',' or ']' here");
  CHECK(refusal("{\"a\": 1\n") == "f.json:2:1: the text ends too early; write ',' or '}' here");
  CHECK(refusal("{\"a\":") == "f.json:1:6: the text ends too early; " + kWriteValue);
}

TEST_CASE("an unexpected token is named where it begins, with what should stand there") {
  CHECK(refusal("{\"a\" 12}") ==
        "f.json:1:6: unexpected '12'; write ':' between a key and its value");
  CHECK(refusal("{\"a\": 1\n  \"bc\": 2}") ==
        "f.json:2:3: unexpected \"bc\"; write ',' or '}' here");
  CHECK(refusal(R"(["a" "b\"c"])") == R"(f.json:1:6: unexpected "b\"c"; write ',' or ']' here)");
  CHECK(refusal("[1 true]") == "f.json:1:4: unexpected 'true'; write ',' or ']' here");
  CHECK(refusal("{a: 1}") == "f.json:1:2: unexpected 'a'; write a key in double quotes here");
  CHECK(refusal("]") == "f.json:1:1: unexpected ']'; " + kWriteValue);
}

TEST_CASE("columns count characters, not bytes") {
  CHECK(refusal("[\"\u00fc\u20ac\", x]") == "f.json:1:8: unexpected 'x'; " + kWriteValue);
}

TEST_CASE("a second value is refused") {
  CHECK(refusal("{} {}") == "f.json:1:4: unexpected '{'; end the file after its one value");
  CHECK(refusal("{}x") == "f.json:1:3: unexpected 'x'; end the file after its one value");
}

TEST_CASE("comments are refused") {
  CHECK(refusal("// c\n{}") == "f.json:1:1: comments are not JSON; remove this one");
  CHECK(refusal("{\"a\": 1, /* c */ \"b\": 2}") ==
        "f.json:1:10: comments are not JSON; remove this one");
  CHECK(refusal("{\n} // c") == "f.json:2:3: comments are not JSON; remove this one");
}

TEST_CASE("trailing commas are refused") {
  CHECK(refusal("{\"a\": 1,}") == "f.json:1:9: a comma stands before '}'; remove that comma");
  CHECK(refusal("[1,\n]") == "f.json:2:1: a comma stands before ']'; remove that comma");
}

TEST_CASE("words that are no JSON are named whole") {
  CHECK(refusal("[nul]") == "f.json:1:2: unexpected 'nul'; " + kWriteValue);
  CHECK(refusal("[True]") == "f.json:1:2: unexpected 'True'; " + kWriteValue);
  CHECK(refusal("tru") == "f.json:1:1: unexpected 'tru'; " + kWriteValue);
  CHECK(refusal("[NaN]") == "f.json:1:2: unexpected 'NaN'; " + kWriteValue);
  CHECK(refusal("[Infinity]") == "f.json:1:2: unexpected 'Infinity'; " + kWriteValue);
  CHECK(refusal("['a']") == "f.json:1:2: unexpected single quote; " + kWriteValue);
  CHECK(refusal("[" + std::string(70, 'x')) ==
        "f.json:1:2: unexpected '" + std::string(60, 'x') + "...'; " + kWriteValue);
}

TEST_CASE("a quote that closes no string is named alone") {
  CHECK(refusal("[12t\"") == "f.json:1:2: unexpected '12t'; write ',' or ']' here");
  CHECK(refusal("true\"") ==
        "f.json:1:6: a string has no closing quote; close it with a double quote");
}

TEST_CASE("numbers are written as JSON writes them") {
  const std::string malformed = "malformed number; write it as in -3, 0.5 or 1e6";
  CHECK(refusal("[1.]") == "f.json:1:4: " + malformed);
  CHECK(refusal("[-Infinity]") == "f.json:1:3: " + malformed);
  CHECK(refusal("[1e]") == "f.json:1:4: " + malformed);
  CHECK(refusal("[.5]") == "f.json:1:2: unexpected '.5'; " + kWriteValue);
  CHECK(refusal("[+1]") == "f.json:1:2: unexpected '+1'; " + kWriteValue);
  CHECK(refusal("[012]") == "f.json:1:2: unexpected '012'; write ',' or ']' here");
  CHECK(refusal("[0x10]") == "f.json:1:2: unexpected '0x10'; write ',' or ']' here");
}

TEST_CASE("numbers beyond double are refused") {
  CHECK(refusal("[1e999]") == R"(f.json:1:2: "1e999" is too large a number; stay below 1.7e308)");
  CHECK(refusal("\n [1, -1e999]") ==
        R"(f.json:2:6: "-1e999" is too large a number; stay below 1.7e308)");
}

TEST_CASE("strings end on their line and escape what must be escaped") {
  CHECK(refusal("[\"abc") ==
        "f.json:1:6: a string has no closing quote; close it with a double quote");
  CHECK(refusal("[\"ab\nc\"]") ==
        R"(f.json:1:5: the line ends inside a string; close it, or write the line break as \n)");
  CHECK(refusal("[\"a\tb\"]") ==
        R"(f.json:1:4: a string holds a control character; escape it, as in \t or \u0007)");
  CHECK(refusal(R"(["\ud800"])") ==
        "f.json:1:9: half of a surrogate pair stands alone; "
        R"(write both halves, as in \ud83d\ude00)");
  const std::string escapes =
      "unknown escape in a string; "
      R"(write one of \" \\ \/ \b \f \n \r \t, or \u and four hexadecimal digits)";
  CHECK(refusal(R"(["\q"])") == "f.json:1:4: " + escapes);
  CHECK(refusal(R"(["\u12"])") == "f.json:1:7: " + escapes);
}

TEST_CASE("text that is not UTF-8 is refused") {
  CHECK(refusal("[\"\xff\"]") == "f.json:1:3: a byte is not UTF-8; save the file as UTF-8");
  CHECK(refusal("[\"\xc0\xaf\"]") == "f.json:1:3: a byte is not UTF-8; save the file as UTF-8");
  CHECK(refusal("[\"\xed\xa0\x80\"]") == "f.json:1:4: a byte is not UTF-8; save the file as UTF-8");
  CHECK(refusal(std::string_view("{}\0x", 4)) ==
        "f.json:1:3: a zero byte stands in the text; save the file as UTF-8");
  CHECK(refusal("[\u201ca\u201d]") ==
        "f.json:1:2: a character outside ASCII stands outside of strings; "
        "write strings in double quotes");
}

TEST_CASE("a byte order mark is passed over when it is whole") {
  CHECK(JsonFile::parse("\xef\xbb\xbf[1]", "f.json").root().elements().size() == 1);
  CHECK(refusal("\xef\xbb[1]") ==
        "f.json:1:2: malformed byte order mark; save the file as UTF-8 without one");
}

TEST_CASE("a key that stands twice in one object is refused at its place") {
  CHECK(refusal(R"({"a": 1, "b": 2, "a": 1})") ==
        R"(f.json:/a: key "a" stands twice in its object; keep one of the two)");
  CHECK(refusal(R"({"links": [1, {"x": {}}, {"x": 1, "x": 2}]})") ==
        R"(f.json:/links/2/x: key "x" stands twice in its object; keep one of the two)");
  CHECK(refusal(R"({"a\nb/~": 1, "a\nb/~": 2})") ==
        R"(f.json:/a\nb~1~0: key "a\nb/~" stands twice in its object; keep one of the two)");
}

TEST_CASE("one key may stand in several objects") {
  CHECK(refusal(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]})") == "accepted");
}

TEST_CASE("nesting is accepted to a depth of 64 and refused beyond, however deep") {
  std::string place = "f.json:";
  for (int i = 0; i < 64; ++i) place += "/0";
  const std::string expected =
      place + ": lists and objects are nested deeper than 64; flatten them";
  CHECK(refusal(std::string(64, '[') + std::string(64, ']')) == "accepted");
  CHECK(refusal(std::string(65, '[') + std::string(65, ']')) == expected);
  CHECK(refusal(std::string(1'000'000, '[')) == expected);
}

TEST_CASE("an object is as deep as a list") {
  std::string text = "1", place = "f.json:";
  for (int i = 0; i < 64; ++i) {
    text = R"({"k": )" + text + "}";
    place += "/k";
  }
  CHECK(refusal(text) == "accepted");
  CHECK(refusal(R"({"k": )" + text + "}") ==
        place + ": lists and objects are nested deeper than 64; flatten them");
}

}  // namespace
}  // namespace syncsim::json_parse_test
