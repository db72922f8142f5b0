#include "sim/scenario/range.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/refusal.h"

namespace syncsim::range_test {
namespace {

using Values = std::vector<std::int64_t>;

Values sizes(std::string_view text) { return parse_range(text, RangeOf::bytes); }

Values read(const std::string& json, RangeOf what = RangeOf::bytes) {
  return read_range(JsonFile::parse(json, "r.json").root(), what);
}

std::string refusal(std::string_view text, RangeOf what = RangeOf::bytes) {
  return testing::refusal_of([&] { parse_range(text, what); });
}

std::string read_refusal(const std::string& json) {
  return testing::refusal_of([&] { read(json); });
}

}  // namespace

TEST_CASE("a plain range goes in steps of four and ends with its end") {
  CHECK(sizes("1 kB..16 kB") == Values{1'000, 4'000, 16'000});
  CHECK(sizes("1 kB .. 20 kB") == Values{1'000, 4'000, 16'000, 20'000});
  CHECK(sizes("1 B..2 B") == Values{1, 2});
}

TEST_CASE("a factor or a step goes up to the last value that is not above the end") {
  CHECK(sizes("8 B..70 B x2") == Values{8, 16, 32, 64});
  CHECK(sizes("8 B..64 B x 2") == Values{8, 16, 32, 64});
  CHECK(sizes("1 MB..8 MB +3 MB") == Values{1'000'000, 4'000'000, 7'000'000});
  CHECK(sizes("0 B..2 B +1 B") == Values{0, 1, 2});
  CHECK(parse_range("1..9 x3", RangeOf::number) == Values{1, 3, 9});
  CHECK(parse_range("1 us..5 us +2 us", RangeOf::time) == Values{1'000'000, 3'000'000, 5'000'000});
}

TEST_CASE("an object says the same as the text") {
  CHECK(read(R"({"from": "8 B", "to": "70 B", "factor": 2})") == sizes("8 B..70 B x2"));
  CHECK(read(R"({"from": 8, "to": 70, "step": "30 B"})") == Values{8, 38, 68});
  CHECK(read(R"({"from": "1 kB", "to": "20 kB"})") == sizes("1 kB..20 kB"));
  CHECK(read(R"({"from": 2, "to": 8, "factor": 2})", RangeOf::number) == Values{2, 4, 8});
  CHECK(read(R"({"from": "1 us", "to": "2 us", "factor": 2})", RangeOf::time) ==
        Values{1'000'000, 2'000'000});
}

TEST_CASE("a range up to the largest number ends") {
  CHECK(parse_range("1..9223372036854775807 x1000000000000", RangeOf::number) ==
        Values{1, 1'000'000'000'000});
  CHECK(refusal("1..9223372036854775807 +1", RangeOf::number) ==
        "is a range of more than 1000000 values; take larger steps");
}

TEST_CASE("what is no range is refused, with what it lacks") {
  const std::string such_as = "; write such as \"1 kB..1 GB\"";
  CHECK(refusal("1 MB..") == "\"1 MB..\" is no range: its end is missing" + such_as);
  CHECK(refusal("..1 MB") == "\"..1 MB\" is no range: its beginning is missing" + such_as);
  CHECK(refusal("1 kB...1 MB") ==
        "\"1 kB...1 MB\" is no range: it has more than two dots" + such_as);
  CHECK(refusal("1..x", RangeOf::number) ==
        "\"1..x\" is no range: its end is missing; write such as \"1..64\"");
  CHECK(refusal("1 kB..8").starts_with("\"8\" has no unit"));
}

TEST_CASE("a range goes up from above nothing, or in steps") {
  const std::string smaller =
      " is no range: it does not end above its beginning; write the smaller one first, such as ";
  CHECK(refusal("1 MB..1 kB") == "\"1 MB..1 kB\"" + smaller + "\"1 kB..1 GB\"");
  CHECK(refusal("1 kB..1 kB") == "\"1 kB..1 kB\"" + smaller + "\"1 kB..1 GB\"");
  CHECK(refusal("4..2", RangeOf::number) == "\"4..2\"" + smaller + "\"1..64\"");
  CHECK(refusal("0 B..1 kB x2") ==
        "\"0 B..1 kB x2\" is no range: multiples of 0 stay there; begin above 0, or add steps, "
        "such as \"+1 MB\"");
  CHECK(refusal("0..4", RangeOf::number) ==
        "\"0..4\" is no range: multiples of 0 stay there; begin above 0, or add steps, such as "
        "\"+1\"");
}

TEST_CASE("behind a range stands a factor or a step") {
  const auto told = [](const std::string& steps) { return refusal("1 kB..1 MB " + steps); };
  for (const char* steps : {"x", "x1", "x1.5", "xx2", "+", "+0 B", "+1", "*2", "2", "x2 +1 kB"}) {
    CAPTURE(steps);
    CHECK(told(steps) == "\"1 kB..1 MB " + std::string(steps) + "\" is no range: \"" + steps +
                             "\" is neither a factor of 2 or more nor a step; write such as "
                             "\"1 kB..1 GB x2\", or \"1 kB..1 GB +1 MB\"");
  }
  CHECK(refusal("1..8 2", RangeOf::number) ==
        "\"1..8 2\" is no range: \"2\" is neither a factor of 2 or more nor a step; write such as "
        "\"1..64 x2\", or \"1..64 +1\"");
}

TEST_CASE("what is no range is refused where it stands") {
  CHECK(read_refusal(R"({"from": "2 B", "to": "1 B", "factor": 2})") ==
        "r.json:/: is no range: \"from\" is not below \"to\"; write the smaller one first");
  CHECK(read_refusal(R"({"from": "0 B", "to": "1 B", "factor": 2})") ==
        "r.json:/: is no range: multiples of 0 stay there; write a \"from\" above 0, or a "
        "\"step\"");
  CHECK(read_refusal(R"({"from": "1 B", "to": "2 B", "factor": 2, "step": 1})") ==
        "r.json:/: has both \"factor\" and \"step\"; leave one out");
  CHECK(read_refusal(R"({"from": "1 B", "to": "2 B", "step": 0})") ==
        "r.json:/step: is 0; write a step above 0");
  CHECK(read_refusal(R"({"from": "1 B", "to": "2 B", "factor": 1.5})") ==
        "r.json:/factor: is the number 1.5; write a whole number");
  CHECK(read_refusal(R"({"from": "1 B", "too": "2 B"})") ==
        "r.json:/too: unknown key \"too\"; did you mean \"to\"?");
  CHECK(read_refusal(R"({"from": "1 B"})") == "r.json:/: \"to\" is missing; add \"to\": \"1 GB\"");
}

}  // namespace syncsim::range_test
