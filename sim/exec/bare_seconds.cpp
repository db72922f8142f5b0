#include "sim/exec/bare_seconds.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"

namespace syncsim {
namespace {

constexpr int kPicosecondDigits = 12;  // of a second

std::string_view mantissa_of(std::string_view text) {
  return text.substr(0, text.find_first_of("eE"));
}

// Limited to what cannot overflow; digits decide long before.
std::int64_t exponent_of(std::string_view text) {
  constexpr std::int64_t kMost = 1'000'000;
  const auto mark = text.find_first_of("eE");
  if (mark == text.npos) return 0;
  std::string_view digits = text.substr(mark + 1);
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t value = kMost;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  value = std::min(value, kMost);
  return negative ? -value : value;
}

bool is_mantissa(std::string_view text) {
  const auto points = std::count(text.begin(), text.end(), '.');
  const auto digits = std::count_if(text.begin(), text.end(), is_digit);
  return points <= 1 && digits >= 1 && static_cast<std::size_t>(points + digits) == text.size();
}

bool is_exponent(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

InputError too_large(std::string_view text) {
  return {in_quotes(text) + " seconds are too many", "write at most \"9223372\" (about 106 days)"};
}

}  // namespace

bool is_bare_number(std::string_view text) {
  const std::string_view mantissa = mantissa_of(text);
  return is_mantissa(mantissa) &&
         (mantissa.size() == text.size() || is_exponent(text.substr(mantissa.size() + 1)));
}

// The digits before place `point` count whole picoseconds; the one there rounds.
Time bare_seconds(std::string_view text) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::string digits(mantissa_of(text));
  const auto dot = std::min(digits.find('.'), digits.size());
  std::int64_t point = static_cast<std::int64_t>(dot) + exponent_of(text) + kPicosecondDigits;
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
  digits.erase(0, zeros);
  point -= static_cast<std::int64_t>(zeros);
  if (digits.empty() || point < 0) return {0};
  if (point > std::numeric_limits<std::int64_t>::digits10 + 1) throw too_large(text);
  digits.resize(std::max(digits.size(), static_cast<std::size_t>(point) + 1), '0');
  std::uint64_t value = digits[static_cast<std::size_t>(point)] >= '5' ? 1 : 0;
  std::uint64_t whole = 0;
  std::from_chars(digits.data(), digits.data() + point, whole);
  value += whole;
  if (value > static_cast<std::uint64_t>(kMost)) throw too_large(text);
  return {static_cast<std::int64_t>(value)};
}

}  // namespace syncsim
