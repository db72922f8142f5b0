#include "sim/base/unit_error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <initializer_list>
#include <span>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"

namespace syncsim {
namespace {

// Of the units that are listed, not their aliases.
std::vector<std::string> known_names(const Quantity& quantity) {
  std::vector<std::string> names;
  for (const std::span<const Unit> units : {quantity.units, quantity.more_units})
    for (const Unit& unit : units)
      if (!unit.alias) names.push_back(fmt::format("{}{}", unit.name, quantity.suffix));
  return names;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// The name without the "/s" or "ps" of a rate.
std::string_view without_per_second(std::string_view unit) {
  if (unit.ends_with("/s") || unit.ends_with("ps")) unit.remove_suffix(2);
  return unit;
}

// The letter of "M", "m", "MB/s" ... in its usual case; 0 when the unit begins with no prefix.
char prefix_of(std::string_view unit) {
  constexpr std::string_view kPrefixes = "kMGT";
  for (const char prefix : kPrefixes)
    if (!unit.empty() && lower(unit.substr(0, 1)) == lower({&prefix, 1})) return prefix;
  return 0;
}

// Two readings of a unit that may be either, or "" when it is not that.
std::string two_readings(std::string_view number, std::string_view unit, const Quantity& quantity) {
  const char prefix = prefix_of(unit);
  if (prefix == 0) return "";
  if (quantity.what == kSize.what && unit.size() == 1) {
    const char binary = prefix == 'k' ? 'K' : prefix;
    return fmt::format("write \"{0} {1}B\" (powers of 1000) or \"{0} {2}iB\" (powers of 1024)",
                       number, prefix, binary);
  }
  if (quantity.what != kBandwidth.what) return "";
  const std::string_view stem = without_per_second(unit);
  const bool lower_case = stem.size() == 2 && stem == lower(stem) && stem.back() == 'b';
  if (stem.size() != 1 && !lower_case) return "";
  return fmt::format("write \"{0} {1}B/s\" (bytes) or \"{0} {1}bit/s\" (bits)", number, prefix);
}

// Spellings of other programs, and units of the neighbouring quantity.
std::string meant_by(std::string_view unit, const Quantity& quantity) {
  std::string stem(without_per_second(unit));
  if (find_unit(quantity, stem) != nullptr) return stem;
  if (find_unit(quantity, stem + "/s") != nullptr) return stem + "/s";
  const bool micro = unit == "\u00b5s" || unit == "\u03bcs";
  if (micro && find_unit(quantity, "us") != nullptr) return "us";
  return closest(unit, known_names(quantity));
}

}  // namespace

std::string sample_of(const Quantity& quantity, std::string_view number) {
  constexpr std::size_t kLongest = 30;
  return fmt::format("write \"{} {}\"", number.size() <= kLongest ? number : "16",
                     quantity.example);
}

InputError unknown_unit(std::string_view text, std::string_view number, std::string_view unit,
                        const Quantity& quantity) {
  if (const std::string readings = two_readings(number, unit, quantity); !readings.empty())
    return {fmt::format("{} has the ambiguous unit {}", in_quotes(text), in_quotes(unit)),
            readings};
  const std::string wrong =
      fmt::format("{} has the unknown unit {}", in_quotes(text), in_quotes(unit));
  if (const std::string guess = meant_by(unit, quantity); !guess.empty())
    return {wrong, fmt::format("did you mean \"{}\"?", guess)};
  return {wrong, fmt::format("use one of {}", fmt::join(known_names(quantity), ", "))};
}

}  // namespace syncsim
