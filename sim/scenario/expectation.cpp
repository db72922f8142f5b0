// Reads claims.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/scenario/claims.h"
#include "sim/scenario/select.h"
#include "sim/schedule/strategy.h"

namespace syncsim {
namespace {

// Exactly one of these says what kind of claim it is.
struct KindRow {
  std::string_view key;
  Expectation::Kind kind;
};
constexpr KindRow kKinds[] = {
    {"value", Expectation::Kind::value},         {"at_least", Expectation::Kind::at_least},
    {"at_most", Expectation::Kind::at_most},     {"order", Expectation::Kind::order},
    {"less_than", Expectation::Kind::less_than}, {"chosen", Expectation::Kind::chosen},
    {"crossover", Expectation::Kind::crossover}};

std::vector<std::string> all_keys() {
  std::vector<std::string> keys = {"metric", "name",      "source", "note",     "where",
                                   "of",     "tolerance", "over",   "by_factor"};
  for (const KindRow& row : kKinds) keys.emplace_back(row.key);
  return keys;
}

InputError claims_nothing(const JsonReader& json) {
  if (json.has("over"))
    return json.error("says of a ratio nothing",
                      R"(add "value" with a "tolerance", "at_least" or "at_most")");
  if (json.has("of"))
    return json.error("compares \"of\" with nothing",
                      R"(add "less_than", or "over" with "value", "at_least" or "at_most")");
  return json.error("claims nothing",
                    "add one of value, at_least, at_most, order, less_than, over (with a value or "
                    "bound), chosen, crossover");
}

const KindRow& kind_of(const JsonReader& json) {
  const KindRow* found = nullptr;
  for (const KindRow& row : kKinds) {
    if (!json.has(row.key)) continue;
    if (found != nullptr)
      throw json.error(fmt::format("has both \"{}\" and \"{}\"", found->key, row.key),
                       "make it two claims");
    found = &row;
  }
  if (found != nullptr) return *found;
  json.allow(all_keys());  // a misspelt one is the likely reason
  throw claims_nothing(json);
}

std::string as_written(const JsonReader& json) {
  return json.is_string() ? json.string() : json.raw().dump();
}

// Above 0: a number, or a percentage.
double read_factor(const JsonReader& json) {
  if (!json.is_number() && !(json.is_string() && json.string().ends_with('%')))
    throw json.error("is no factor", "write a number above 0, such as 1.5");
  const double factor = json.is_number() ? json.number() : json.percent();
  if (factor <= 0) throw json.error("is not above zero", "write a factor above 0");
  return factor;
}

// How a tolerance in the metric's own unit may look.
std::string_view absolute_sample(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::time:
      return R"("10 us")";
    case MetricUnit::bandwidth:
      return R"("0.5 GB/s")";
    case MetricUnit::bytes:
      return R"("1 MB")";
    case MetricUnit::count:
      return "2";
    case MetricUnit::fraction:
      return "0.01";
  }
  return "";
}

// In % of the bound, or in the metric's unit, of a bandwidth 0 too.
double tolerance_of(const JsonReader& json, MetricUnit unit, double bound) {
  if (json.is_string() && json.string().ends_with('%')) return json.percent() * std::abs(bound);
  return unit == MetricUnit::bandwidth ? json.bandwidth_or_zero().bytes_per_second
                                       : read_value(json, unit);
}

InputError no_tolerance(const JsonReader& json, MetricUnit unit) {
  const std::string text = as_written(json);
  if (text.starts_with('-')) return json.error(text + " is negative", "write 0 or more");
  return json.error(
      in_quotes(text) + " is no tolerance",
      fmt::format(R"(write such as {}, or a percentage such as "0.1 %")", absolute_sample(unit)));
}

void read_tolerance(const JsonReader& json, MetricUnit unit, Expectation& result) {
  try {
    result.tolerance = tolerance_of(json, unit, result.bound);
  } catch (const InputError&) {
    throw no_tolerance(json, unit);
  }
  if (result.tolerance < 0) throw no_tolerance(json, unit);
  result.has_tolerance = true;
  result.tolerance_written = as_written(json);
}

void read_bound(const JsonReader& json, const JsonReader& value, Expectation& result) {
  result.is_ratio = json.has("of") || json.has("over");
  if (result.is_ratio) {
    result.first = read_selector(json.required("of", R"({"strategy": "ring"})"));
    result.second = read_selector(json.required("over", R"({"strategy": "ring"})"));
  }
  const MetricUnit unit = result.is_ratio ? MetricUnit::fraction : result.metric.unit;
  result.bound = result.is_ratio ? read_factor(value) : read_value(value, unit);
  if (result.bound < 0) throw value.error("is negative", "write 0 or more");
  result.written = as_written(value);
  if (result.kind == Expectation::Kind::value)
    read_tolerance(json.required("tolerance", R"("0.1 %")"), unit, result);
}

void read_order(const JsonReader& value, Expectation& result) {
  const std::string direction = value.string();
  if (direction != "increasing" && direction != "decreasing")
    throw unknown_name("order", direction, {"increasing", "decreasing"}).at(value.place());
  result.increasing = direction == "increasing";
}

void read_comparison(const JsonReader& json, Expectation& result) {
  result.first = read_selector(json.required("of", R"({"strategy": "ring"})"));
  result.second = read_selector(json.required("less_than"));
  if (const auto factor = json.optional("by_factor")) {
    result.by_factor = factor->number();
    if (*result.by_factor <= 0) throw factor->error("is not above zero", "write a factor above 0");
  }
  if (const auto tolerance = json.optional("tolerance")) {
    if (!result.by_factor)
      throw tolerance->error("has no by_factor to apply to", "add \"by_factor\", or leave it out");
    if (!tolerance->is_string() || !tolerance->string().ends_with('%'))
      throw tolerance->error("is no share of the factor", R"(write a percentage such as "5 %")");
    result.tolerance = tolerance->percent();
    result.has_tolerance = true;
    result.tolerance_written = as_written(*tolerance);
  }
}

void read_chosen(const JsonReader& value, Expectation& result) {
  if (!value.is_string() && !value.is_array())
    throw value.error("is no strategy", R"(write one such as "ring", or a list of them)");
  const std::vector<JsonReader> names =
      value.is_string() ? std::vector<JsonReader>{value} : value.elements();
  if (names.empty()) throw value.error("is empty", "name at least one strategy");
  for (const JsonReader& name : names)
    result.chosen.emplace_back(name.located([&] { return &strategies().at(name.string()); })->name);
}

// A strategy by its name, or a selector.
Selector read_side(const JsonReader& json) {
  if (!json.is_string()) return read_selector(json);
  json.located([&] { require_strategy_name(json.string()); });
  return {{{"strategy", json}}, json.place()};
}

void read_crossover(const JsonReader& json, const JsonReader& value, Expectation& result) {
  value.allow({"between"});
  const JsonReader between = value.required("between", R"(["ring", "distributed"])");
  const std::vector<JsonReader> sides = between.elements();
  if (sides.size() != 2)
    throw between.error(fmt::format("names {}", sides.size()),
                        "name two: the one that is faster below, and the one above");
  result.first = read_side(sides[0]);
  result.second = read_side(sides[1]);
  const JsonReader from = json.required("from", R"("64 kB")");
  const JsonReader to = json.required("to", R"("1 MB")");
  result.from = from.bytes();
  result.to = to.bytes();
  if (result.from > result.to) throw from.error("is above \"to\"", "write the smaller size first");
  result.written = fmt::format("{}..{}", to_string(result.from), to_string(result.to));
}

std::vector<std::string> keys_of(const KindRow& row, const JsonReader& json) {
  using Kind = Expectation::Kind;
  std::vector<std::string> keys = {"metric", "name", "source", "note", std::string(row.key)};
  if (row.kind == Kind::chosen || row.kind == Kind::crossover) keys.erase(keys.begin());
  if (row.kind == Kind::less_than) keys.insert(keys.end(), {"of", "by_factor", "tolerance"});
  if (row.kind == Kind::crossover) keys.insert(keys.end(), {"from", "to"});
  if (row.kind <= Kind::at_most && (json.has("of") || json.has("over")))
    keys.insert(keys.end(), {"of", "over"});
  keys.emplace_back("where");
  if (row.kind == Kind::value) keys.emplace_back("tolerance");
  return keys;
}

Metric read_metric(const JsonReader& json) {
  for (const char* own : {"chosen", "crossover"})
    if (json.has(own)) return {.name = own};
  const JsonReader metric = json.required("metric", R"("time")");
  return metric.located([&] { return parse_metric(metric.string()); });
}

// What the kind claims.
void read_kind(const JsonReader& json, const JsonReader& value, Expectation& result) {
  switch (result.kind) {
    case Expectation::Kind::less_than:
      return read_comparison(json, result);
    case Expectation::Kind::order:
      return read_order(value, result);
    case Expectation::Kind::chosen:
      return read_chosen(value, result);
    case Expectation::Kind::crossover:
      return read_crossover(json, value, result);
    default:
      return read_bound(json, value, result);
  }
}

}  // namespace

Expectation read_expectation(const JsonReader& json) {
  const Metric metric = read_metric(json);
  const KindRow& kind = kind_of(json);
  json.allow(keys_of(kind, json));
  Expectation result{.kind = kind.kind, .metric = metric, .json = json};
  if (const auto name = json.optional("name")) result.name = name->string();
  if (const auto source = json.optional("source")) result.source = source->string();
  if (const auto note = json.optional("note")) result.note = note->string();
  read_kind(json, json.required(kind.key), result);
  if (const auto where = json.optional("where")) {
    const Selector narrow = read_selector(*where);
    for (Selector* side : {&result.first, &result.second}) {
      side->fields.insert(side->fields.end(), narrow.fields.begin(), narrow.fields.end());
      if (side->place.empty()) side->place = narrow.place;
    }
  }
  return result;
}

}  // namespace syncsim
