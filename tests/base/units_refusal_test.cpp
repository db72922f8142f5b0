#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "sim/base/units.h"
#include "tests/support/refusal.h"

namespace syncsim::units_refusal_test {
namespace {

std::string size_refusal(std::string_view text) {
  return testing::refusal_of([&] { parse_bytes(text); });
}
std::string time_refusal(std::string_view text) {
  return testing::refusal_of([&] { parse_time(text); });
}
std::string rate_refusal(std::string_view text) {
  return testing::refusal_of([&] { parse_bandwidth(text); });
}
std::string percent_refusal(std::string_view text) {
  return testing::refusal_of([&] { parse_percent(text); });
}

TEST_CASE("nothing is no quantity") {
  CHECK(size_refusal("") == R"(the size is empty; write "16 MB")");
  CHECK(time_refusal(" \t") == R"(the time is empty; write "16 us")");
  CHECK(rate_refusal("") == R"(the bandwidth is empty; write "16 GB/s")");
  CHECK(percent_refusal("") == R"(the percentage is empty; write "16 %")");
}

TEST_CASE("a number without a unit is refused with the same number and a unit") {
  CHECK(size_refusal("25") == R"("25" has no unit; write "25 MB")");
  CHECK(time_refusal("2.5") == R"("2.5" has no unit; write "2.5 us")");
  CHECK(rate_refusal("16") == R"("16" has no unit; write "16 GB/s")");
  CHECK(percent_refusal("0.1") == R"("0.1" has no unit; write "0.1 %")");
  CHECK(size_refusal(std::string(31, '1')) ==
        R"("1111111111111111111111111111111" has no unit; write "16 MB")");
}

TEST_CASE("what does not begin with a number is refused") {
  CHECK(size_refusal("MB") == R"("MB" does not begin with a number; write "16 MB")");
  CHECK(size_refusal(". MB") == R"(". MB" does not begin with a number; write "16 MB")");
  CHECK(size_refusal("+5 MB") == R"("+5 MB" does not begin with a number; write "16 MB")");
  CHECK(time_refusal("nan us") == R"("nan us" does not begin with a number; write "16 us")");
  CHECK(rate_refusal("inf GB/s") == R"("inf GB/s" does not begin with a number; write "16 GB/s")");
  CHECK(time_refusal("-inf s") == R"("-inf s" does not begin with a number; write "16 us")");
}

TEST_CASE("a negative quantity is refused") {
  CHECK(size_refusal("-1 B") == R"("-1 B" is negative; write a size without a sign)");
  CHECK(time_refusal("-.5 us") == R"("-.5 us" is negative; write a time without a sign)");
  CHECK(rate_refusal("-1 GB/s") == R"("-1 GB/s" is negative; write a bandwidth without a sign)");
  CHECK(percent_refusal("-1 %") == R"("-1 %" is negative; write a percentage without a sign)");
}

TEST_CASE("an exponent is refused") {
  CHECK(size_refusal("1e3 B") ==
        R"("1e3 B" has an exponent; write all its digits, as in "1500 MB")");
  CHECK(time_refusal("1E-3 s") ==
        R"("1E-3 s" has an exponent; write all its digits, as in "1500 us")");
  CHECK(rate_refusal("1e999 B/s") ==
        R"("1e999 B/s" has an exponent; write all its digits, as in "1500 GB/s")");
}

TEST_CASE("separators of thousands and second points are refused") {
  const std::string right = "write digits with at most one point, then the unit, as in \"1.5 MB\"";
  CHECK(size_refusal("1,000 MB") == R"("1,000 MB" has "," after its number; )" + right);
  CHECK(size_refusal("1'000 MB") == R"("1'000 MB" has "'" after its number; )" + right);
  CHECK(size_refusal("1.2.3 MB") == R"("1.2.3 MB" has "." after its number; )" + right);
  CHECK(size_refusal("1 000 MB") == R"("1 000 MB" has "0" after its number; )" + right);
  CHECK(size_refusal("16\nMB") == R"("16\nMB" has "\n" after its number; )" + right);
}

TEST_CASE("an unknown unit asks for the closest one") {
  CHECK(size_refusal("16 mib") == R"("16 mib" has the unknown unit "mib"; did you mean "MiB"?)");
  CHECK(time_refusal("16 usx") == R"("16 usx" has the unknown unit "usx"; did you mean "us"?)");
  CHECK(rate_refusal("16 GBs") == R"("16 GBs" has the unknown unit "GBs"; did you mean "GB/s"?)");
  CHECK(rate_refusal("16 Gbits/s") ==
        R"("16 Gbits/s" has the unknown unit "Gbits/s"; did you mean "Gbit/s"?)");
}

TEST_CASE("a unit close to none lists the known ones") {
  CHECK(size_refusal("16 parsec") == R"("16 parsec" has the unknown unit "parsec"; )"
                                     "use one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB");
  CHECK(time_refusal("1 min") ==
        R"("1 min" has the unknown unit "min"; use one of ps, ns, us, ms, s)");
  CHECK(rate_refusal("16 parsec") ==
        R"("16 parsec" has the unknown unit "parsec"; use one of B/s, kB/s, MB/s, GB/s, TB/s, )"
        "KiB/s, MiB/s, GiB/s, TiB/s, kbit/s, Mbit/s, Gbit/s, Tbit/s");
  CHECK(percent_refusal("5 pct") == R"("5 pct" has the unknown unit "pct"; use one of %)");
}

TEST_CASE("anything behind the unit makes it unknown") {
  CHECK(size_refusal("16 MB each") == R"("16 MB each" has the unknown unit "MB each"; )"
                                      "use one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB");
  CHECK(size_refusal("0x10 B") == R"("0x10 B" has the unknown unit "x10 B"; )"
                                  "use one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB");
  CHECK(percent_refusal("5 %%") == R"("5 %%" has the unknown unit "%%"; did you mean "%"?)");
}

TEST_CASE("a rate is no size and a size no rate, and each names the other's unit") {
  CHECK(size_refusal("16 MB/s") == R"("16 MB/s" has the unknown unit "MB/s"; did you mean "MB"?)");
  CHECK(rate_refusal("16 GB") == R"("16 GB" has the unknown unit "GB"; did you mean "GB/s"?)");
  CHECK(rate_refusal("16 Gbit") ==
        R"("16 Gbit" has the unknown unit "Gbit"; did you mean "Gbit/s"?)");
}

TEST_CASE("spellings of other programs name ours") {
  CHECK(rate_refusal("16 GBps") ==
        R"("16 GBps" has the unknown unit "GBps"; did you mean "GB/s"?)");
  CHECK(rate_refusal("16 Gbps") ==
        R"("16 Gbps" has the unknown unit "Gbps"; did you mean "Gb/s"?)");
  CHECK(time_refusal("5 \u00b5s") ==
        "\"5 \u00b5s\" has the unknown unit \"\u00b5s\"; did you mean \"us\"?");
  CHECK(time_refusal("5 \u03bcs") ==
        "\"5 \u03bcs\" has the unknown unit \"\u03bcs\"; did you mean \"us\"?");
}

TEST_CASE("a bare prefix names both its readings") {
  CHECK(size_refusal("16 M") == R"("16 M" has the ambiguous unit "M"; )"
                                R"(write "16 MB" (powers of 1000) or "16 MiB" (powers of 1024))");
  CHECK(size_refusal("1G") == R"("1G" has the ambiguous unit "G"; )"
                              R"(write "1 GB" (powers of 1000) or "1 GiB" (powers of 1024))");
  CHECK(size_refusal("4k") == R"("4k" has the ambiguous unit "k"; )"
                              R"(write "4 kB" (powers of 1000) or "4 KiB" (powers of 1024))");
  CHECK(rate_refusal("16 G") == R"("16 G" has the ambiguous unit "G"; )"
                                R"(write "16 GB/s" (bytes) or "16 Gbit/s" (bits))");
  CHECK(rate_refusal("16 M/s") == R"("16 M/s" has the ambiguous unit "M/s"; )"
                                  R"(write "16 MB/s" (bytes) or "16 Mbit/s" (bits))");
}

TEST_CASE("a bandwidth in lower case may be bytes or bits") {
  const std::string right = R"(write "16 GB/s" (bytes) or "16 Gbit/s" (bits))";
  CHECK(rate_refusal("16 gb/s") == R"("16 gb/s" has the ambiguous unit "gb/s"; )" + right);
  CHECK(rate_refusal("16 gbps") == R"("16 gbps" has the ambiguous unit "gbps"; )" + right);
}

TEST_CASE("sizes and times beyond int64 are refused") {
  CHECK(size_refusal("9223372036854775808 B") ==
        R"("9223372036854775808 B" is too large; write at most "9223372036854775807 B")");
  CHECK(size_refusal("9223372036854775.808 kB") ==
        R"("9223372036854775.808 kB" is too large; write at most "9223372036854775807 B")");
  CHECK(size_refusal("8388608 TiB") ==
        R"("8388608 TiB" is too large; write at most "9223372036854775807 B")");
  CHECK(time_refusal("9223373 s") ==
        R"("9223373 s" is too large; write at most "9223372036854775807 ps")");
  CHECK(size_refusal(std::string(100, '9') + " B") ==
        "\"" + std::string(60, '9') +
            R"(..." is too large; write at most "9223372036854775807 B")");
}

TEST_CASE("fractions of a byte and of a picosecond are refused") {
  CHECK(size_refusal("1.5 B") == R"("1.5 B" is no whole number of bytes; round it to whole bytes)");
  CHECK(size_refusal("1.0001 kB") ==
        R"("1.0001 kB" is no whole number of bytes; round it to whole bytes)");
  CHECK(size_refusal("0.1 KiB") ==
        R"("0.1 KiB" is no whole number of bytes; round it to whole bytes)");
  CHECK(time_refusal("0.5 ps") ==
        R"("0.5 ps" is no whole number of picoseconds; round it to whole picoseconds)");
  CHECK(time_refusal("0.0000000000001 s") ==
        R"("0.0000000000001 s" is no whole number of picoseconds; round it to whole picoseconds)");
}

TEST_CASE("a bandwidth of zero, or too small for a double, is refused") {
  const std::string wrong_and_right =
      R"( is zero; write a bandwidth above zero, such as "16 GB/s")";
  CHECK(rate_refusal("0 GB/s") == "\"0 GB/s\"" + wrong_and_right);
  CHECK(rate_refusal("0.00 Gbit/s") == "\"0.00 Gbit/s\"" + wrong_and_right);
  CHECK(rate_refusal("0." + std::string(400, '0') + "1 B/s") ==
        "\"0." + std::string(58, '0') + "...\"" + wrong_and_right);
}

TEST_CASE("where 0 is a bandwidth, too, nothing else is let in") {
  CHECK(parse_bandwidth_or_zero("0 GB/s") == Bandwidth{0});
  CHECK(parse_bandwidth_or_zero("16 GB/s") == Bandwidth{16e9});
  for (const char* text : {"0", "-1 GB/s", "0.5 B/s", "1000001 TB/s", "0 ms"})
    CHECK(testing::refusal_of([&] { parse_bandwidth_or_zero(text); }) == rate_refusal(text));
}

TEST_CASE("a bandwidth is at least 1 B/s and at most 10^18") {
  CHECK(parse_bandwidth("1 B/s") == Bandwidth{1});
  CHECK(parse_bandwidth("1000000 TB/s") == Bandwidth{1e18});
  for (const char* rate : {"0.999 B/s", "1000001 TB/s"})
    CHECK(rate_refusal(rate) ==
          "\"" + std::string(rate) +
              "\" is out of range; write a bandwidth from 1 B/s to 1000000 TB/s");
}

TEST_CASE("bandwidths and percentages beyond double are refused") {
  const std::string figure = std::string(309, '9');
  const std::string wrong = "\"" + std::string(60, '9') + "...\" is too large; ";
  CHECK(rate_refusal(figure + " B/s") == wrong + R"(write a bandwidth such as "16 GB/s")");
  CHECK(rate_refusal(figure.substr(9) + " TiB/s") ==
        wrong + R"(write a bandwidth such as "16 GB/s")");
  CHECK(percent_refusal(figure + "999 %") == wrong + R"(write a percentage such as "16 %")");
}

}  // namespace
}  // namespace syncsim::units_refusal_test
