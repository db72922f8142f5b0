#include "sim/exec/bare_seconds.h"

#include <doctest/doctest.h>

#include "tests/support/refusal.h"

namespace syncsim::bare_seconds_test {

TEST_CASE("bare numbers are digits with at most one point and perhaps an exponent") {
  for (const char* text : {"0", "12", "1.5", ".5", "5.", "1e-06", "2E+3", "1.5e2"}) {
    CAPTURE(text);
    CHECK(is_bare_number(text));
  }
  for (const char* text : {"", ".", "-1", "+1", "1 us", "1us", "1.2.3", "1e", "e5", "1e+", "nan",
                           "inf", "0x10", "1e1.5"}) {
    CAPTURE(text);
    CHECK_FALSE(is_bare_number(text));
  }
}

TEST_CASE("seconds are whole picoseconds, halves up") {
  CHECK(bare_seconds("0") == Time{0});
  CHECK(bare_seconds("000.0e99") == Time{0});
  CHECK(bare_seconds("1") == Time{1'000'000'000'000});
  CHECK(bare_seconds("0.0000015") == Time{1'500'000});
  CHECK(bare_seconds("1.5e-6") == Time{1'500'000});
  CHECK(bare_seconds("0012.5E1") == Time{125'000'000'000'000});
  CHECK(bare_seconds("1e-12") == Time{1});
  CHECK(bare_seconds("4.9e-13") == Time{0});
  CHECK(bare_seconds("5e-13") == Time{1});
  CHECK(bare_seconds("0.5e-13") == Time{0});
  CHECK(bare_seconds("1e-99999999999999999999") == Time{0});
  CHECK(bare_seconds("2.0000000000014999") == Time{2'000'000'000'001});
  CHECK(bare_seconds("2.0000000000015") == Time{2'000'000'000'002});
}

TEST_CASE("the largest time is kept exactly, what lies beyond is refused") {
  CHECK(bare_seconds("9223372.036854775807") == Time{9'223'372'036'854'775'807});
  const char* const message = R"( seconds are too many; write at most "9223372" (about 106 days))";
  for (const char* text : {"9223372.036854775808", "9223372.0368547758075", "1e7", "1e99999999999"})
    CHECK(testing::refusal_of([&] { bare_seconds(text); }) ==
          "\"" + std::string(text) + "\"" + message);
}

}  // namespace syncsim::bare_seconds_test
