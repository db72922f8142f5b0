#include "sim/scenario/long_time.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/base/unit_table.h"

namespace syncsim {
namespace {

struct LongUnit {
  std::string_view name;
  double seconds;
};
constexpr LongUnit kLongUnits[] = {{"min", 60},
                                   {"h", 3600},
                                   {"day", 86400},
                                   {"days", 86400},
                                   {"year", 365.25 * 86400},
                                   {"years", 365.25 * 86400}};

// Refuses words that are units neither here nor of all times; what else is wrong is told there.
void require_unit(const JsonReader& json, std::string_view unit) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (unit.empty() || !std::all_of(unit.begin(), unit.end(), is_letter)) return;
  if (find_unit(kTime, unit) != nullptr) return;
  std::vector<std::string> names;
  for (const Unit& each : kTime.units) names.emplace_back(each.name);
  for (const LongUnit& each : kLongUnits) names.emplace_back(each.name);
  const std::string guess = closest(unit, names);
  throw json.error(
      fmt::format("{} has the unknown unit {}", in_quotes(json.string()), in_quotes(unit)),
      guess.empty() ? fmt::format("use one of {}", fmt::join(names, ", "))
                    : fmt::format("did you mean \"{}\"?", guess));
}

// In seconds; nullopt in the units of all times.
std::optional<double> in_long_units(const JsonReader& json) {
  const std::string text = json.string();
  const std::string_view all = trimmed(text);
  std::size_t digits = 0;
  while (digits < all.size() && (is_digit(all[digits]) || all[digits] == '.')) ++digits;
  const std::string_view unit = trimmed(all.substr(digits));
  for (const LongUnit& each : kLongUnits) {
    if (each.name != unit) continue;
    double number = 0;
    const auto [end, error] = std::from_chars(all.data(), all.data() + digits, number);
    if (digits == 0 || error != std::errc() || end != all.data() + digits)
      throw json.error(in_quotes(text) + " is no time", R"(write such as "6 h" or "2.5 days")");
    return number * each.seconds;
  }
  if (digits > 0) require_unit(json, unit);
  return std::nullopt;
}

InputError too_long(const JsonReader& json, int most_days) {
  return json.error("is too long", fmt::format(R"(write at most "{} days")", most_days));
}

}  // namespace

double read_long_seconds(const JsonReader& json) {
  const std::optional<double> length = in_long_units(json);
  return length ? *length : seconds(json.time());
}

Time read_long_time(const JsonReader& json, int most_days) {
  const double most = 86400.0 * most_days;
  const std::optional<double> length = in_long_units(json);
  if (length && *length > most) throw too_long(json, most_days);
  const Time time = length ? Time{std::llround(*length * 1e12)} : json.time();
  if (seconds(time) > most) throw too_long(json, most_days);
  return time;
}

}  // namespace syncsim
