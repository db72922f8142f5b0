#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>

#include "sim/base/unit_table.h"
#include "sim/base/units.h"

namespace syncsim {
namespace {

// The largest of the units in which the value is at least 1; the smallest when there is none.
const Unit& largest_within(std::span<const Unit> units, std::int64_t value) {
  const Unit* best = &units.front();
  for (const Unit& unit : units)
    if (factor_of(unit) <= value) best = &unit;
  return *best;
}

std::string without_trailing_zeros(std::string number) {
  if (number.find('.') == number.npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number;
}

// The value in that decimal unit, with as many decimals as it takes.
std::string exactly_in(const Unit& unit, std::int64_t value) {
  const std::int64_t factor = factor_of(unit);
  if (unit.tens == 0) return std::to_string(value);
  return without_trailing_zeros(
      fmt::format("{}.{:0{}}", value / factor, value % factor, unit.tens));
}

// Whole in the largest binary unit that allows it; "" when none does.
std::string whole_in_binary(std::int64_t value) {
  std::string result;
  for (const Unit& unit : kBinaryByteUnits)
    if (value >= factor_of(unit) && value % factor_of(unit) == 0)
      result = fmt::format("{} {}", value / factor_of(unit), unit.name);
  return result;
}

// value / factor to four decimals, halves up, in ten-thousandths.
std::int64_t ten_thousandths(std::int64_t value, std::int64_t factor) {
  const std::int64_t whole = value / factor;
  if (factor < 10'000) return whole * 10'000 + value % factor * (10'000 / factor);
  const std::int64_t step = factor / 10'000;
  return whole * 10'000 + (value % factor + step / 2) / step;
}

// digits x 10^tens, the digits as few as tell the value from all others.
struct Decimal {
  std::string digits;
  int tens = 0;
};

Decimal shortest(double value) {
  std::string text = fmt::format("{}", value);  // "1575", "0.25" or "1.575e+10"
  Decimal result;
  if (const auto exponent = text.find('e'); exponent != text.npos) {
    result.tens = std::stoi(text.substr(exponent + 1));
    text.resize(exponent);
  }
  if (const auto point = text.find('.'); point != text.npos) {
    result.tens -= static_cast<int>(text.size() - point - 1);
    text.erase(point, 1);
  }
  result.digits = text;
  return result;
}

// Without exponent.
std::string plain(Decimal number) {
  if (number.tens >= 0)
    return number.digits + std::string(static_cast<std::size_t>(number.tens), '0');
  const auto decimals = static_cast<std::size_t>(-number.tens);
  std::string& digits = number.digits;
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  digits.insert(digits.size() - decimals, ".");
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.find('.') - 1));
  return without_trailing_zeros(digits);
}

// In the largest decimal unit of which there is at least one.
std::string exactly_in_decimal(double value, std::string_view suffix) {
  const Unit* unit = &kDecimalByteUnits.front();
  for (const Unit& larger : kDecimalByteUnits)
    if (value >= static_cast<double>(factor_of(larger))) unit = &larger;
  Decimal number = shortest(value);
  number.tens -= unit->tens;
  const std::string_view multiple = unit->name.substr(0, unit->name.size() - 1);  // without "B"
  return fmt::format("{} {}{}", plain(number), multiple, suffix);
}

}  // namespace

std::string to_string(Bytes bytes) {
  const Unit& unit = largest_within(kDecimalByteUnits, bytes.count);
  const std::string decimal = fmt::format("{} {}", exactly_in(unit, bytes.count), unit.name);
  const std::string binary = whole_in_binary(bytes.count);
  const std::string plain = fmt::format("{} B", bytes.count);
  const std::string& shorter = !binary.empty() && binary.size() < decimal.size() ? binary : decimal;
  return plain.size() < shorter.size() ? plain : shorter;
}

std::string to_string(Time time) {
  if (time.ps < 0 && time.ps != INT64_MIN) return "-" + to_string(Time{-time.ps});
  const Unit* unit = &largest_within(kTimeUnits, time.ps);
  if (unit->tens == 0) return fmt::format("{} ps", time.ps);
  std::int64_t parts = ten_thousandths(time.ps, factor_of(*unit));
  if (parts >= 1'000 * 10'000 && unit != &kTimeUnits.back())  // 999.99996 ms
    parts = ten_thousandths(time.ps, factor_of(*++unit));
  return fmt::format("{}.{:04} {}", parts / 10'000, parts % 10'000, unit->name);
}

std::string to_string(Bandwidth bandwidth) {
  // A rate that rounds up to the next unit is written in it.
  constexpr double kRoundsUp = 1 - 0.5e-7;
  const Unit* unit = &kDecimalByteUnits.front();
  for (const Unit& larger : kDecimalByteUnits)
    if (std::abs(bandwidth.bytes_per_second) >= kRoundsUp * static_cast<double>(factor_of(larger)))
      unit = &larger;
  const double figure = bandwidth.bytes_per_second / static_cast<double>(factor_of(*unit));
  return fmt::format("{} {}/s", without_trailing_zeros(fmt::format("{:.4f}", figure)), unit->name);
}

std::string to_exact_string(Time time) {
  constexpr std::size_t kMostDecimals = 4;
  const Unit& unit = largest_within(kTimeUnits, time.ps);
  const std::string number = exactly_in(unit, time.ps);
  const auto point = number.find('.');
  if (point != number.npos && number.size() - point - 1 > kMostDecimals)
    return fmt::format("{} ps", time.ps);
  return fmt::format("{} {}", number, unit.name);
}

std::string to_exact_string(Bandwidth bandwidth) {
  return exactly_in_decimal(bandwidth.bytes_per_second, "B/s");
}

std::string to_exact_bits(Bandwidth bandwidth) {
  return exactly_in_decimal(bandwidth.bytes_per_second * 8, "bit/s");
}

}  // namespace syncsim
