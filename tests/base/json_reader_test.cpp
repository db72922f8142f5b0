#include "sim/base/json_reader.h"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/refusal.h"

namespace syncsim::json_reader_test {
namespace {

using testing::refusal_of;

JsonReader root_of(std::string_view text) { return JsonFile::parse(text, "f.json").root(); }

// The member "x" of an object that holds only it.
JsonReader value_of(const std::string& text) {
  return root_of(R"({"x": )" + text + "}").required("x");
}

// Of the call of a member function on "x".
template <class Member>
std::string refusal(const std::string& text, Member member) {
  const JsonReader value = value_of(text);
  return refusal_of([&] { (value.*member)(); });
}

using Integer = std::int64_t (JsonReader::*)() const;  // not the one with bounds
constexpr Integer kInteger = &JsonReader::integer;

TEST_CASE("members are the keys with their values, in file order, each at its place") {
  const auto members = root_of(R"({"b": 1, "a/c": 2})").members();
  REQUIRE(members.size() == 2);
  CHECK(members[0].first == "b");
  CHECK(members[0].second.integer() == 1);
  CHECK(members[1].first == "a/c");
  CHECK(members[1].second.place() == "f.json:/a~1c");
  CHECK(refusal_of([] { root_of("[]").members(); }) ==
        "f.json:/: is a list; write an object {...}");
}

TEST_CASE("a place is the file and the JSON pointer, with ~ and / escaped") {
  CHECK(root_of("{}").place() == "f.json:/");
  CHECK(root_of("{}").file() == "f.json");
  const JsonReader links = root_of(R"({"links": [1, {"a/b~c": 2}]})").required("links");
  CHECK(links.elements()[0].place() == "f.json:/links/0");
  CHECK(links.elements()[1].required("a/b~c").place() == "f.json:/links/1/a~1b~0c");
}

TEST_CASE("an error stands at its value's place") {
  CHECK(std::string(value_of("1").error("it is wrong", "do right").what()) ==
        "f.json:/x: it is wrong; do right");
}

TEST_CASE("located gives its place to errors that have none") {
  const JsonReader value = value_of("1");
  CHECK(value.located([] { return 7; }) == 7);
  CHECK(refusal_of([&] { value.located([] { throw InputError("wrong", "right"); }); }) ==
        "f.json:/x: wrong; right");
  CHECK(refusal_of([&] { value.located([] { throw InputError("wrong", "right", "there"); }); }) ==
        "there: wrong; right");
}

TEST_CASE("keys and elements come in file order") {
  CHECK(root_of(R"({"z": 1, "a": 2, "m": 3})").keys() == std::vector<std::string>{"z", "a", "m"});
  std::vector<std::int64_t> numbers;
  for (const JsonReader& element : root_of("[3, 1, 2]").elements())
    numbers.push_back(element.integer());
  CHECK(numbers == std::vector<std::int64_t>{3, 1, 2});
  CHECK(root_of("{}").keys().empty());
  CHECK(root_of("[]").elements().empty());
}

TEST_CASE("allow accepts the listed keys, any of which may be absent") {
  CHECK_NOTHROW(root_of(R"({"name": 1})").allow({"name", "links"}));
  CHECK_NOTHROW(root_of("{}").allow({"name"}));
}

TEST_CASE("allow refuses another key at its place, did-you-mean") {
  CHECK(refusal_of([] {
          root_of(R"({"links": [{"bandwith": 1}]})")
              .required("links")
              .elements()[0]
              .allow({"kind", "bandwidth"});
        }) == R"(f.json:/links/0/bandwith: unknown key "bandwith"; did you mean "bandwidth"?)");
  CHECK(refusal_of([] {
          root_of(R"({"colour": 1})").allow({"kind", "name"});
        }) == R"(f.json:/colour: unknown key "colour"; choose one of kind, name)");
  CHECK(refusal_of([] { root_of(R"({"Kind": 1})").allow(std::vector<std::string>{"kind"}); }) ==
        R"(f.json:/Kind: unknown key "Kind"; did you mean "kind"?)");
}

TEST_CASE("a missing key is refused at its object") {
  const JsonReader link = value_of(R"({"kind": "pcie"})");
  CHECK(refusal_of([&] { link.required("bandwidth"); }) ==
        R"(f.json:/x: "bandwidth" is missing; add "bandwidth": ...)");
  CHECK(link.optional("bandwidth") == std::nullopt);
  CHECK(link.optional("kind")->string() == "pcie");
  CHECK(link.has("kind"));
  CHECK(!link.has("bandwidth"));
}

TEST_CASE("a member that is null is there") { CHECK(root_of(R"({"a": null})").has("a")); }

TEST_CASE("only objects have keys") {
  const std::string expected = "f.json:/x: is a list; write an object {...}";
  const JsonReader list = value_of("[]");
  CHECK(refusal_of([&] { list.allow({"a"}); }) == expected);
  CHECK(refusal_of([&] { list.required("a"); }) == expected);
  CHECK(refusal_of([&] { list.optional("a"); }) == expected);
  CHECK(refusal_of([&] { list.has("a"); }) == expected);
  CHECK(refusal("[]", &JsonReader::keys) == expected);
  CHECK(refusal_of([] { root_of("7").allow({"a"}); }) ==
        "f.json:/: is the number 7; write an object {...}");
}

TEST_CASE("only lists have elements") {
  CHECK(refusal("{}", &JsonReader::elements) == "f.json:/x: is an object; write a list [...]");
  CHECK(refusal("\"a\"", &JsonReader::elements) == "f.json:/x: is a string; write a list [...]");
}

TEST_CASE("a string is text of at least one character") {
  CHECK(value_of(R"("gpu0")").string() == "gpu0");
  CHECK(value_of(R"("\u00fc \"q\"")").string() == "\u00fc \"q\"");
  CHECK(refusal("\"\"", &JsonReader::string) ==
        "f.json:/x: is an empty string; write at least one character");
  CHECK(refusal("1.5", &JsonReader::string) == "f.json:/x: is the number 1.5; write a string");
  CHECK(refusal("null", &JsonReader::string) == "f.json:/x: is null; write a string");
}

TEST_CASE("an integer reaches both ends of int64") {
  CHECK(value_of("0").integer() == 0);
  CHECK(value_of("-0").integer() == 0);
  CHECK(value_of("9223372036854775807").integer() == std::numeric_limits<std::int64_t>::max());
  CHECK(value_of("-9223372036854775808").integer() == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("an integer beyond int64 is refused") {
  const auto expected = [](const std::string& shown) {
    return "f.json:/x: is the number " + shown +
           ", which is out of range; write a whole number of 64 bits";
  };
  CHECK(refusal("9223372036854775808", kInteger) == expected("9223372036854775808"));
  CHECK(refusal("-9223372036854775809", kInteger) == expected("-9.223372036854776e+18"));
  CHECK(refusal("99999999999999999999", kInteger) == expected("1e+20"));
}

TEST_CASE("what is no integer is refused as what it is") {
  const std::string right = "; write a whole number";
  CHECK(refusal("\"7\"", kInteger) == "f.json:/x: is a string" + right);
  CHECK(refusal("1.5", kInteger) == "f.json:/x: is the number 1.5" + right);
  CHECK(refusal("2.0", kInteger) == "f.json:/x: is the number 2.0" + right);
  CHECK(refusal("1e3", kInteger) == "f.json:/x: is the number 1000.0" + right);
  CHECK(refusal("true", kInteger) == "f.json:/x: is true" + right);
  CHECK(refusal("{}", kInteger) == "f.json:/x: is an object" + right);
}

TEST_CASE("an integer within bounds includes them") {
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  CHECK(value_of("1").integer(1, 4) == 1);
  CHECK(value_of("4").integer(1, 4) == 4);
  CHECK(refusal_of([] { value_of("0").integer(1, 4); }) ==
        "f.json:/x: 0 is out of range; write a whole number from 1 to 4");
  CHECK(refusal_of([] { value_of("5").integer(1, 4); }) ==
        "f.json:/x: 5 is out of range; write a whole number from 1 to 4");
  CHECK(refusal_of([&] { value_of("0").integer(1, kMost); }) ==
        "f.json:/x: 0 is out of range; write a whole number of at least 1");
  CHECK(refusal_of([&] { value_of("5").integer(kLeast, 4); }) ==
        "f.json:/x: 5 is out of range; write a whole number of at most 4");
}

TEST_CASE("a number is whole or not") {
  CHECK(value_of("0.5").number() == 0.5);
  CHECK(value_of("-3").number() == -3);
  CHECK(value_of("1e3").number() == 1000);
  CHECK(value_of("99999999999999999999").number() == 1e20);
  CHECK(refusal("\"0.5\"", &JsonReader::number) == "f.json:/x: is a string; write a number");
  CHECK(refusal("false", &JsonReader::number) == "f.json:/x: is false; write a number");
}

TEST_CASE("a boolean is true or false, and nothing that may stand for it") {
  CHECK(value_of("true").boolean());
  CHECK(!value_of("false").boolean());
  CHECK(refusal("1", &JsonReader::boolean) == "f.json:/x: is the number 1; write true or false");
  CHECK(refusal("\"true\"", &JsonReader::boolean) == "f.json:/x: is a string; write true or false");
}

TEST_CASE("quantities are read from text with a unit") {
  CHECK(value_of(R"("2 us")").time() == Time{2'000'000});
  CHECK(value_of(R"("160 MB")").bytes() == Bytes{160'000'000});
  CHECK(value_of(R"("16 GB/s")").bandwidth() == Bandwidth{16e9});
  CHECK(value_of(R"("0.1 %")").percent() == 0.001);
}

TEST_CASE("text that is no quantity is refused at its place") {
  CHECK(refusal("\"5\"", &JsonReader::time) == R"(f.json:/x: "5" has no unit; write "5 us")");
  CHECK(refusal("\"5\"", &JsonReader::bytes) == R"(f.json:/x: "5" has no unit; write "5 MB")");
  CHECK(refusal("\"5\"", &JsonReader::percent) == R"(f.json:/x: "5" has no unit; write "5 %")");
  CHECK(refusal("\"16\"", &JsonReader::bandwidth) ==
        R"(f.json:/x: "16" has no unit; write "16 GB/s")");
  CHECK(refusal("\"\"", &JsonReader::time) == R"(f.json:/x: the time is empty; write "16 us")");
}

TEST_CASE("a bare number is no quantity") {
  CHECK(refusal("2", &JsonReader::time) ==
        R"(f.json:/x: is the number 2; write a time with a unit, such as "2 us")");
  CHECK(refusal("16", &JsonReader::bandwidth) ==
        R"(f.json:/x: is the number 16; write a bandwidth with a unit, such as "16 GB/s")");
  CHECK(refusal("0.1", &JsonReader::percent) ==
        R"(f.json:/x: is the number 0.1; write a percentage such as "0.1 %")");
}

TEST_CASE("a bare whole number of at least 0 is a size in bytes") {
  CHECK(value_of("160").bytes() == Bytes{160});
  CHECK(value_of("0").bytes() == Bytes{0});
  CHECK(refusal("-1", &JsonReader::bytes) == "f.json:/x: -1 is negative; write 0 or more bytes");
  CHECK(refusal("1.5", &JsonReader::bytes) == "f.json:/x: is the number 1.5; write a whole number");
  CHECK(refusal("9223372036854775808", &JsonReader::bytes) ==
        "f.json:/x: is the number 9223372036854775808, which is out of range; "
        "write a whole number of 64 bits");
  CHECK(refusal("[]", &JsonReader::bytes) ==
        R"(f.json:/x: is a list; write a size such as "160 MB", or a number of bytes)");
}

TEST_CASE("a value knows what it is") {
  CHECK(value_of("\"a\"").is_string());
  CHECK(value_of("1").is_integer());
  CHECK(value_of("1").is_number());
  CHECK(!value_of("1.0").is_integer());
  CHECK(value_of("1.0").is_number());
  CHECK(value_of("[]").is_array());
  CHECK(value_of("{}").is_object());
  CHECK(!value_of("null").is_string());
  CHECK(!value_of("true").is_number());
  CHECK(!value_of("[]").is_object());
}

TEST_CASE("the raw value is the text's, members in file order") {
  CHECK(value_of(R"({"z": [1, 2.5], "a": {"b": null}})").raw().dump() ==
        R"({"z":[1,2.5],"a":{"b":null}})");
}

}  // namespace
}  // namespace syncsim::json_reader_test
