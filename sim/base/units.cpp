#include "sim/base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/base/bandwidth_range.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/base/unit_error.h"
#include "sim/base/unit_table.h"

namespace syncsim {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

// "1.5 us" in parts.
struct Measure {
  std::string_view text;    // all of it, for messages
  std::string_view number;  // digits with at most one point
  Unit unit;
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

// Bytes of the digits that `text` begins with, with at most one point among them; 0 when it begins
// with no number.
std::size_t number_length(std::string_view text) {
  const auto digits_from = [&](std::size_t begin) {
    while (begin < text.size() && is_digit(text[begin])) ++begin;
    return begin;
  };
  const std::size_t whole = digits_from(0);
  if (whole == text.size() || text[whole] != '.') return whole;
  const std::size_t end = digits_from(whole + 1);
  return end == 1 ? 0 : end;
}

// "e3" or "E-3 GB/s", but no unit that begins with an e.
bool is_exponent(std::string_view rest) {
  if (rest.size() < 2 || (rest[0] != 'e' && rest[0] != 'E')) return false;
  return is_digit(rest[1]) || rest[1] == '+' || rest[1] == '-';
}

// Refuses what stands where the unit should: nothing, an exponent, a second point, a comma.
void check_rest(std::string_view text, std::size_t length, const Quantity& quantity) {
  const std::string_view rest = text.substr(length);
  const std::string_view unit = trimmed(rest);
  if (unit.empty())
    throw InputError(fmt::format("{} has no unit", in_quotes(text)),
                     sample_of(quantity, text.substr(0, length)));
  if (is_exponent(rest))
    throw InputError(fmt::format("{} has an exponent", in_quotes(text)),
                     fmt::format("write all its digits, as in \"1500 {}\"", quantity.example));
  if (!is_letter(unit.front()) && unit.front() != '%')
    throw InputError(
        fmt::format("{} has {} after its number", in_quotes(text), in_quotes(unit.substr(0, 1))),
        fmt::format("write digits with at most one point, then the unit, as in \"1.5 {}\"",
                    quantity.example));
}

Measure measure_of(std::string_view whole, const Quantity& quantity) {
  const std::string_view text = trimmed(whole);
  if (text.empty())
    throw InputError(fmt::format("the {} is empty", quantity.what), sample_of(quantity));
  if (text.front() == '-' && number_length(text.substr(1)) > 0)
    throw InputError(fmt::format("{} is negative", in_quotes(text)),
                     fmt::format("write a {} without a sign", quantity.what));
  const std::size_t length = number_length(text);
  if (length == 0)
    throw InputError(fmt::format("{} does not begin with a number", in_quotes(text)),
                     sample_of(quantity));
  check_rest(text, length, quantity);
  const std::string_view number = text.substr(0, length);
  const std::string_view name = trimmed(text.substr(length));
  const Unit* unit = find_unit(quantity, name);
  if (unit == nullptr) throw unknown_unit(text, number, name, quantity);
  return {text, number, *unit};
}

// The integral part of a number times factor; nothing when that leaves int64.
std::optional<std::int64_t> whole_part(std::string_view digits, std::int64_t factor) {
  Wide value = 0;
  for (const char digit : digits) {
    value = value * 10 + (digit - '0');
    if (value * factor > kMost) return std::nullopt;
  }
  return static_cast<std::int64_t>(value * factor);
}

// The digits behind the point times factor; nothing when that is not whole. From the last digit to
// the first, each step must divide by ten evenly for the sum to be whole, and none exceeds factor.
std::optional<std::int64_t> fractional_part(std::string_view digits, std::int64_t factor) {
  Wide value = 0;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    value += Wide{*digit - '0'} * factor;
    if (value % 10 != 0) return std::nullopt;
    value /= 10;
  }
  return static_cast<std::int64_t>(value);
}

InputError too_large(const Measure& measure, std::string_view symbol) {
  return {fmt::format("{} is too large", in_quotes(measure.text)),
          fmt::format("write at most \"{} {}\"", kMost, symbol)};
}

// In whole base units, or refused. `base` names one ("byte"), `symbol` is its unit ("B").
std::int64_t exact(const Measure& measure, std::string_view base, std::string_view symbol) {
  const std::int64_t factor = factor_of(measure.unit);
  const std::string_view digits = measure.number.substr(0, measure.number.find('.'));
  std::string_view decimals = measure.number.substr(digits.size());
  if (!decimals.empty()) decimals.remove_prefix(1);
  const std::optional<std::int64_t> whole = whole_part(digits, factor);
  if (!whole) throw too_large(measure, symbol);
  const std::optional<std::int64_t> rest = fractional_part(decimals, factor);
  if (!rest)
    throw InputError(fmt::format("{} is no whole number of {}s", in_quotes(measure.text), base),
                     fmt::format("round it to whole {}s", base));
  if (*rest > kMost - *whole) throw too_large(measure, symbol);
  return *whole + *rest;
}

// number x 10^tens x 2^twos, rounded once; an underflow is 0.
double rounded(const Measure& measure, const Quantity& quantity) {
  const std::string scaled = fmt::format("{}e{}", measure.number, measure.unit.tens);
  double value = 0;
  const auto [end, error] = std::from_chars(scaled.data(), scaled.data() + scaled.size(), value);
  const std::string_view digits = measure.number.substr(0, measure.number.find('.'));
  const bool overflow = error != std::errc() && digits.find_first_not_of('0') != digits.npos;
  value = std::ldexp(value, measure.unit.twos);
  if (overflow || !std::isfinite(value))
    throw InputError(fmt::format("{} is too large", in_quotes(measure.text)),
                     fmt::format("write a {} such as \"16 {}\"", quantity.what, quantity.example));
  return value;
}

}  // namespace

Time parse_time(std::string_view text) {
  return {exact(measure_of(text, kTime), "picosecond", "ps")};
}

Bytes parse_bytes(std::string_view text) { return {exact(measure_of(text, kSize), "byte", "B")}; }

Bandwidth parse_bandwidth(std::string_view text) {
  const Bandwidth bandwidth = parse_bandwidth_or_zero(text);
  if (bandwidth.bytes_per_second == 0)
    throw InputError(fmt::format("{} is zero", in_quotes(trimmed(text))),
                     "write a bandwidth above zero, such as \"16 GB/s\"");
  return bandwidth;
}

Bandwidth parse_bandwidth_or_zero(std::string_view text) {
  const Measure measure = measure_of(text, kBandwidth);
  const Bandwidth rate{rounded(measure, kBandwidth)};
  if (rate != Bandwidth{} && (rate < kLeastBandwidth || rate > kMostBandwidth))
    throw InputError(fmt::format("{} is out of range", in_quotes(measure.text)),
                     "write a bandwidth from 1 B/s to 1000000 TB/s");
  return rate;
}

double parse_percent(std::string_view text) {
  return rounded(measure_of(text, kPercentage), kPercentage);
}

}  // namespace syncsim
