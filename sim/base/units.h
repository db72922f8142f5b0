#pragma once
// Time, Bytes and Bandwidth: three types that cannot be mixed up, read and printed with units.
//
// Text: a decimal number, optional blanks, a unit. MB = 10^6 bytes, MiB = 2^20 bytes; bandwidth is
// per direction, in bytes (GB/s, GiB/s) or bits (Gbit/s, also Gb/s). A number without a unit is
// refused. Times are whole picoseconds and bytes whole bytes: "0.5 ps" and "1.5 B" are refused.
// Parsing is exact (decimal arithmetic, not floating point) for times and bytes, and rounds once
// for bandwidths and percentages. Signs, exponents and thousands separators are refused.
// Every parse_ function throws InputError without a place; callers add it with InputError::at.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace syncsim {

// A point in simulated time, or a duration: whole picoseconds. int64 holds 106 days.
struct Time {
  std::int64_t ps = 0;
  friend constexpr auto operator<=>(const Time&, const Time&) = default;
};
constexpr Time operator+(Time a, Time b) { return {a.ps + b.ps}; }
constexpr Time operator-(Time a, Time b) { return {a.ps - b.ps}; }
constexpr Time& operator+=(Time& a, Time b) { return a = a + b; }
constexpr double seconds(Time t) { return static_cast<double>(t.ps) / 1e12; }
constexpr double microseconds(Time t) { return static_cast<double>(t.ps) / 1e6; }

struct Bytes {
  std::int64_t count = 0;
  friend constexpr auto operator<=>(const Bytes&, const Bytes&) = default;
};
constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }

// Bytes per second, one direction.
struct Bandwidth {
  double bytes_per_second = 0;
  friend constexpr auto operator<=>(const Bandwidth&, const Bandwidth&) = default;
};
constexpr double gigabytes_per_second(Bandwidth b) { return b.bytes_per_second * 1e-9; }

// Units: s ms us ns ps. Negative times are refused.
Time parse_time(std::string_view text);
// Units: B kB KB MB GB TB KiB MiB GiB TiB. Negative sizes are refused.
Bytes parse_bytes(std::string_view text);
// Units: the byte units and kbit Mbit Gbit Tbit (also Kb Mb Gb Tb), each followed by "/s".
// Finite and above zero, or refused.
Bandwidth parse_bandwidth(std::string_view text);
// The same, or 0: of a link that carries nothing for a while.
Bandwidth parse_bandwidth_or_zero(std::string_view text);
// "0.1 %" -> 0.001. Negative or non-finite values are refused.
double parse_percent(std::string_view text);

// Exact: parses back to the same size. The shortest of the decimal unit, whole binary units and
// plain bytes, the decimal unit where they tie: "160 MB", "1.5 MB", "4 MiB", "1234567 B".
std::string to_string(Bytes bytes);
// Four decimals in the largest unit of which there is at least one: "15.0000 ms", "2.5926 ms",
// "0 ps".
std::string to_string(Time time);
// "16 GB/s", "18.75 GB/s", "5.3333 GB/s": at most four decimals, trailing zeros dropped, in the
// largest decimal unit of which there is at least one.
std::string to_string(Bandwidth bandwidth);
// Like to_string, but exact: the text parses back to the same value. "5185185186 ps" or "60 ms".
std::string to_exact_string(Time time);
// The fewest digits that parse back to the same value, in the largest decimal unit of bytes of
// which there is at least one: "15.75 GB/s", "5.333333333333333 GB/s".
std::string to_exact_string(Bandwidth bandwidth);
// The same in bits: "100 Gbit/s".
std::string to_exact_bits(Bandwidth bandwidth);

}  // namespace syncsim
