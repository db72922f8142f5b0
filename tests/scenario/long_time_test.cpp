// Times of failures, in units of minutes to years.

#include "sim/scenario/long_time.h"

#include <doctest/doctest.h>

#include "tests/support/refusal.h"

namespace syncsim::testing::long_time_test {
namespace {

JsonReader json(const std::string& text) {
  return JsonFile::parse(R"({"x": )" + text + "}", "s.json").root().required("x");
}

}  // namespace

TEST_CASE("times of failures are long") {
  CHECK(read_long_time(json(R"("2.5 h")")) == parse_time("9000 s"));
  CHECK(read_long_time(json(R"("1 day")")) == parse_time("86400 s"));
  CHECK(read_long_time(json(R"("30min")")) == parse_time("1800 s"));
  CHECK(read_long_time(json(R"("5 ms")")) == parse_time("5 ms"));
  CHECK(read_long_seconds(json(R"("2 years")")) == 2 * 365.25 * 86400);
  CHECK(refusal_of([] { read_long_time(json(R"("1.2.3 h")")); }) ==
        "s.json:/x: \"1.2.3 h\" is no time; write such as \"6 h\" or \"2.5 days\"");
  CHECK(refusal_of([] { read_long_time(json(R"("1 year")")); }) ==
        "s.json:/x: is too long; write at most \"10 days\"");
  CHECK(refusal_of([] { read_long_time(json(R"("5")")); }).starts_with("s.json:/x: \"5\" has no"));
}

TEST_CASE("an unknown unit is told with all that there are") {
  const auto refused = [](const std::string& text) {
    return refusal_of([&] { read_long_time(json(text)); });
  };
  CHECK(refused(R"("1 week")") ==
        "s.json:/x: \"1 week\" has the unknown unit \"week\"; use one of ps, ns, us, ms, s, min, "
        "h, day, days, year, years");
  CHECK(refused(R"("2 yeras")") ==
        "s.json:/x: \"2 yeras\" has the unknown unit \"yeras\"; did you mean \"years\"?");
  CHECK(refused(R"("1e3 s")").starts_with("s.json:/x: \"1e3 s\" has an exponent"));
}

}  // namespace syncsim::testing::long_time_test
