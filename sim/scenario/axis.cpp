#include "sim/scenario/axis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/scenario/point.h"
#include "sim/scenario/range.h"
#include "sim/schedule/strategy.h"

namespace syncsim {
namespace {

std::optional<RangeOf> range_of(std::string_view key) {
  if (key == "bytes") return RangeOf::bytes;
  if (key == "overhead") return RangeOf::time;
  if (key == "ranks" || key == "root" || key == "seed" || key.starts_with(kParameterAxis))
    return RangeOf::number;
  return std::nullopt;
}

// A parameter may be any text, such as a path with dots in it.
bool is_range_of(std::string_view key, const JsonReader& json) {
  if (!json.is_string()) return json.is_object();
  const std::string text = json.string();
  return is_range(text) && (is_digit(text.front()) || !key.starts_with(kParameterAxis));
}

nlohmann::ordered_json written(std::string_view key, std::int64_t value) {
  if (key == "overhead") return to_exact_string(Time{value});
  if (key == "ranks") return value == 1 ? "0" : fmt::format("0-{}", value - 1);
  return value;
}

void add_range(std::string_view key, const JsonReader& json, RangeOf what,
               std::vector<JsonReader>& values) {
  for (const std::int64_t value : read_range(json, what)) {
    if (key == "ranks" && value == 0)
      throw json.error("begins with no ranks", "write their number, from 1");
    values.push_back(json.in_place(written(key, value)));
  }
}

std::string meant(const std::string& name) { return "did you mean \"" + name + "\"?"; }

InputError no_axis(std::string_view key, const JsonReader& axis, std::optional<RangeOf> what) {
  if (key == "parameters" && axis.is_object())
    return axis.error("is an object",
                      R"(write a list of such objects, or sweep over "parameters.NAME")");
  if (!what) return axis.found_instead("write a list [...]");
  const std::string range = fmt::format(R"("{} x2")", range_sample(*what));
  if (axis.is_string())
    return axis.error(in_quotes(axis.string()) + " is neither a list nor a range",
                      "write [...], or a range such as " + range);
  return axis.found_instead("write a list [...], or a range such as " + range);
}

}  // namespace

std::optional<std::string> parameter_of(std::string_view key) {
  if (!key.starts_with(kParameterAxis) || key.size() == kParameterAxis.size()) return std::nullopt;
  return std::string(key.substr(kParameterAxis.size()));
}

InputError unknown_axis(std::string_view key) {
  std::vector<std::string> known = point_fields();
  known.push_back(std::string(kParameterAxis) + "NAME");
  const std::string listed = fmt::format("choose one of {}", fmt::join(known, ", "));
  for (const Strategy& strategy : strategies().rows()) {
    for (const ParameterRow& parameter : strategy.parameters) {
      known.push_back(std::string(kParameterAxis).append(parameter.name));
      if (parameter.name == key) return {unknown_name("key", key, {}).wrong(), meant(known.back())};
    }
  }
  const std::string guess = closest(key, known);
  return {unknown_name("key", key, {}).wrong(), guess.empty() ? listed : meant(guess)};
}

std::vector<JsonReader> axis_values(std::string_view key, const JsonReader& axis) {
  const std::optional<RangeOf> what = range_of(key);
  std::vector<JsonReader> values;
  if (what && is_range_of(key, axis)) {
    add_range(key, axis, *what, values);
    return values;
  }
  if (!axis.is_array()) throw no_axis(key, axis, what);
  for (const JsonReader& value : axis.elements()) {
    if (what && is_range_of(key, value))
      add_range(key, value, *what, values);
    else
      values.push_back(value);
  }
  if (values.empty()) throw axis.error("is empty", "list at least one value");
  return values;
}

}  // namespace syncsim
