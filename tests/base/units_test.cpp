#include "sim/base/units.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>

namespace syncsim::units_test {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t bytes_of(std::string_view text) { return parse_bytes(text).count; }
std::int64_t ps_of(std::string_view text) { return parse_time(text).ps; }
double rate_of(std::string_view text) { return parse_bandwidth(text).bytes_per_second; }

TEST_CASE("decimal byte units are powers of 1000, binary ones powers of 1024") {
  CHECK(bytes_of("1 B") == 1);
  CHECK(bytes_of("1 kB") == 1'000);
  CHECK(bytes_of("1 KB") == 1'000);
  CHECK(bytes_of("160 MB") == 160'000'000);
  CHECK(bytes_of("1 GB") == 1'000'000'000);
  CHECK(bytes_of("1 TB") == 1'000'000'000'000);
  CHECK(bytes_of("1 KiB") == 1'024);
  CHECK(bytes_of("4 MiB") == 4'194'304);
  CHECK(bytes_of("1 GiB") == 1'073'741'824);
  CHECK(bytes_of("1 TiB") == 1'099'511'627'776);
}

TEST_CASE("time units are powers of 1000 picoseconds") {
  CHECK(ps_of("1 ps") == 1);
  CHECK(ps_of("1 ns") == 1'000);
  CHECK(ps_of("1 us") == 1'000'000);
  CHECK(ps_of("15 ms") == 15'000'000'000);
  CHECK(ps_of("1 s") == 1'000'000'000'000);
}

TEST_CASE("a bandwidth in bits is an eighth of that in bytes") {
  CHECK(rate_of("16 GB/s") == 16e9);
  CHECK(rate_of("1 B/s") == 1);
  CHECK(rate_of("1 KB/s") == 1e3);
  CHECK(rate_of("1 MiB/s") == 1048576);
  CHECK(rate_of("1 GiB/s") == 1073741824);
  CHECK(rate_of("8 kbit/s") == 1e3);
  CHECK(rate_of("100 Mbit/s") == 12.5e6);
  CHECK(rate_of("100 Gbit/s") == 12.5e9);
  CHECK(rate_of("1 Tbit/s") == 125e9);
  CHECK(rate_of("8 Kb/s") == 1e3);
  CHECK(rate_of("8 Mb/s") == 1e6);
  CHECK(rate_of("8 Gb/s") == 1e9);
  CHECK(rate_of("8 Tb/s") == 1e12);
}

TEST_CASE("a percentage is a hundredth") {
  CHECK(parse_percent("0.1 %") == 0.001);
  CHECK(parse_percent("7%") == 0.07);
  CHECK(parse_percent("0 %") == 0);
  CHECK(parse_percent("250 %") == 2.5);
}

TEST_CASE("blanks around number and unit do not matter, and a point needs digits on one side") {
  CHECK(bytes_of("16MB") == 16'000'000);
  CHECK(bytes_of(" \t16 \t MB\t ") == 16'000'000);
  CHECK(bytes_of(".5 kB") == 500);
  CHECK(bytes_of("5. kB") == 5'000);
  CHECK(bytes_of("007 B") == 7);
}

TEST_CASE("no size and no time are legal") {
  CHECK(bytes_of("0 B") == 0);
  CHECK(bytes_of("0.000 TiB") == 0);
  CHECK(ps_of("0 us") == 0);
}

TEST_CASE("fractions are exact where doubles are not") {
  CHECK(bytes_of("0.1 kB") == 100);
  CHECK(bytes_of("4503599627370496.001 kB") == 4'503'599'627'370'496'001);
  CHECK(bytes_of("1.5 KiB") == 1'536);
  CHECK(ps_of("2.592592593 ms") == 2'592'592'593);
  CHECK(ps_of("9007199.254740993 s") == 9'007'199'254'740'993'000);
  CHECK(ps_of("0.000000000001 s") == 1);
  CHECK(ps_of("0.0010000000000000000000000000000000000000000000 ns") == 1);
  CHECK(bytes_of("0.0000000000009094947017729282379150390625 TiB") == 1);
}

TEST_CASE("sizes and times reach the end of int64") {
  CHECK(bytes_of("9223372036854775807 B") == kMost);
  CHECK(bytes_of("9223372036854775.807 kB") == kMost);
  CHECK(bytes_of("8388607 TiB") == 8'388'607 * 1'099'511'627'776);
  CHECK(ps_of("9223372.036854775807 s") == kMost);
}

TEST_CASE("a bandwidth and a percentage are rounded once, to the double next to the text") {
  CHECK(rate_of("5.3333 GB/s") == 5.3333e9);
  CHECK(rate_of("0.3 MB/s") == 0.3e6);
  CHECK(rate_of("1.1 TB/s") == 1.1e12);
  CHECK(rate_of("25.78125 Gbit/s") == 25.78125e9 / 8);
  CHECK(rate_of("0.1 GiB/s") == 0.1 * 1073741824);
  CHECK(parse_percent("0.7 %") == 0.007);
  CHECK(parse_percent("14.3 %") == 0.143);
}

TEST_CASE("a size prints in the shortest of decimal, binary and plain form") {
  CHECK(to_string(Bytes{0}) == "0 B");
  CHECK(to_string(Bytes{999}) == "999 B");
  CHECK(to_string(Bytes{1'000}) == "1 kB");
  CHECK(to_string(Bytes{1'024}) == "1 KiB");
  CHECK(to_string(Bytes{1'500}) == "1.5 kB");
  CHECK(to_string(Bytes{1'536}) == "1536 B");
  CHECK(to_string(Bytes{160'000'000}) == "160 MB");
  CHECK(to_string(Bytes{1'500'000}) == "1.5 MB");
  CHECK(to_string(Bytes{1'234'567}) == "1234567 B");
  CHECK(to_string(Bytes{4'194'304}) == "4 MiB");
  CHECK(to_string(Bytes{1'572'864}) == "1536 KiB");
  CHECK(to_string(Bytes{1'024'000}) == "1.024 MB");
  CHECK(to_string(Bytes{2'000'000'000'000}) == "2 TB");
  CHECK(to_string(Bytes{2'199'023'255'552}) == "2 TiB");
  CHECK(to_string(Bytes{kMost}) == "9223372036854775807 B");
  CHECK(to_string(Bytes{-2'000}) == "-2000 B");
}

// 0, the neighbourhoods of the powers of 2 and 10 and some multiples of them, up to int64.
template <class Check>
void for_many_values(const Check& check) {
  for (const std::int64_t base : {2, 10})
    for (std::int64_t power = 1; power < kMost / (125 * base); power *= base)
      for (const std::int64_t multiple : {1, 3, 125})
        for (const std::int64_t offset : {-1, 0, 1}) check(power * multiple + offset);
  check(kMost);
}

TEST_CASE("a printed size parses back to itself") {
  for_many_values([](std::int64_t value) { CHECK(bytes_of(to_string(Bytes{value})) == value); });
}

TEST_CASE("an exactly printed time parses back to itself") {
  for_many_values([](std::int64_t value) { CHECK(ps_of(to_exact_string(Time{value})) == value); });
}

TEST_CASE("an exact time prints in picoseconds when its unit would need over four decimals") {
  CHECK(to_exact_string(Time{0}) == "0 ps");
  CHECK(to_exact_string(Time{60'000'000'000}) == "60 ms");
  CHECK(to_exact_string(Time{7'500'000'000}) == "7.5 ms");
  CHECK(to_exact_string(Time{1'234'500'000}) == "1.2345 ms");
  CHECK(to_exact_string(Time{1'234'510'000}) == "1234510000 ps");
  CHECK(to_exact_string(Time{5'185'185'186}) == "5185185186 ps");
}

TEST_CASE("an exact bandwidth parses back to the same double, in bytes and in bits") {
  CHECK(to_exact_string(Bandwidth{15.75e9}) == "15.75 GB/s");
  CHECK(to_exact_string(Bandwidth{16e9 / 3}) == "5.333333333333333 GB/s");
  CHECK(to_exact_string(Bandwidth{999}) == "999 B/s");
  CHECK(to_exact_string(Bandwidth{1e18}) == "1000000 TB/s");
  CHECK(to_exact_string(Bandwidth{0.25}) == "0.25 B/s");
  CHECK(to_exact_bits(Bandwidth{12.5e9}) == "100 Gbit/s");
  double rate = 1;
  for (int i = 0; i < 3000 && rate < 1e18; ++i) {
    CHECK(parse_bandwidth(to_exact_string(Bandwidth{rate})).bytes_per_second == rate);
    if (rate > 1000)
      CHECK(parse_bandwidth(to_exact_bits(Bandwidth{rate})).bytes_per_second == rate);
    rate *= 1.0137 + 1e-6 * i;
  }
}

TEST_CASE("a time prints with four decimals in its largest unit, halves up") {
  CHECK(to_string(Time{0}) == "0 ps");
  CHECK(to_string(Time{999}) == "999 ps");
  CHECK(to_string(Time{1'234}) == "1.2340 ns");
  CHECK(to_string(Time{2'000'000}) == "2.0000 us");
  CHECK(to_string(Time{15'000'000'000}) == "15.0000 ms");
  CHECK(to_string(Time{2'592'592'593}) == "2.5926 ms");
  CHECK(to_string(Time{1'000'050'000}) == "1.0001 ms");
  CHECK(to_string(Time{1'000'049'999}) == "1.0000 ms");
  CHECK(to_string(Time{3'600'000'000'000'000}) == "3600.0000 s");
  CHECK(to_string(Time{kMost}) == "9223372.0369 s");
}

TEST_CASE("a time that rounds up to a thousand takes the next unit") {
  CHECK(to_string(Time{999'999'949'999}) == "999.9999 ms");
  CHECK(to_string(Time{999'999'950'000}) == "1.0000 s");
}

TEST_CASE("a negative difference of times prints with its sign") {
  CHECK(to_string(Time{-15'000'000'000}) == "-15.0000 ms");
  CHECK(to_string(Time{-1}) == "-1 ps");
  CHECK(to_string(Time{-kMost - 1}) == "-9223372036854775808 ps");
}

TEST_CASE("a bandwidth prints with at most four decimals in its largest unit") {
  CHECK(to_string(Bandwidth{16e9}) == "16 GB/s");
  CHECK(to_string(Bandwidth{18.75e9}) == "18.75 GB/s");
  CHECK(to_string(Bandwidth{16e9 / 3}) == "5.3333 GB/s");
  CHECK(to_string(Bandwidth{1.2e12}) == "1.2 TB/s");
  CHECK(to_string(Bandwidth{12.5e6}) == "12.5 MB/s");
  CHECK(to_string(Bandwidth{100e9}) == "100 GB/s");
  CHECK(to_string(Bandwidth{8e3}) == "8 kB/s");
  CHECK(to_string(Bandwidth{0.5}) == "0.5 B/s");
  CHECK(to_string(Bandwidth{0}) == "0 B/s");
}

TEST_CASE("a bandwidth that rounds up to a thousand takes the next unit") {
  CHECK(to_string(Bandwidth{999.99994e6}) == "999.9999 MB/s");
  CHECK(to_string(Bandwidth{999.99996e6}) == "1 GB/s");
}

TEST_CASE("times and sizes add, subtract and compare as their numbers do") {
  Time time = Time{5} + Time{2} - Time{4};
  time += Time{7};
  CHECK(time == Time{10});
  CHECK(Bytes{5} + Bytes{2} - Bytes{4} == Bytes{3});
  CHECK(Time{1} < Time{2});
  CHECK(Bandwidth{1e9} > Bandwidth{1e6});
  CHECK(seconds(Time{1'500'000'000'000}) == 1.5);
  CHECK(microseconds(Time{15'000'000'000}) == 15'000);
  CHECK(gigabytes_per_second(Bandwidth{16e9}) == 16);
}

}  // namespace
}  // namespace syncsim::units_test
