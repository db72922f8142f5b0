// Reads claims.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/named_table.h"
#include "sim/scenario/claims.h"
#include "sim/schedule/strategy.h"

namespace syncsim {
namespace {

const std::vector<std::string> kSelectorKeys = {"name",  "topology",   "strategy", "parameters",
                                                "ranks", "bytes",      "datatype", "collective",
                                                "rates", "background", "rings",    "reduction"};

Selector read_selector(const JsonReader& json) {
  json.allow(kSelectorKeys);
  Selector selector;
  selector.fields = json.members();
  return selector;
}

// Exactly one of these says what kind of claim it is.
struct KindRow {
  std::string_view key;
  Expectation::Kind kind;
};
constexpr KindRow kKinds[] = {
    {"value", Expectation::Kind::value},         {"at_least", Expectation::Kind::at_least},
    {"at_most", Expectation::Kind::at_most},     {"order", Expectation::Kind::order},
    {"less_than", Expectation::Kind::less_than}, {"chosen", Expectation::Kind::chosen}};

std::vector<std::string> all_keys() {
  std::vector<std::string> keys = {"metric", "name",      "source", "note",
                                   "where",  "tolerance", "of",     "by_factor"};
  for (const KindRow& row : kKinds) keys.emplace_back(row.key);
  return keys;
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
  if (found == nullptr) {
    json.allow(all_keys());  // a misspelt one is the likely reason
    throw json.error("claims nothing",
                     "add one of value, at_least, at_most, order, less_than, chosen");
  }
  return *found;
}

std::string as_written(const JsonReader& json) {
  return json.is_string() ? json.string() : json.raw().dump();
}

void read_bound(const JsonReader& json, const JsonReader& value, Expectation& result) {
  result.bound = read_value(value, result.metric.unit);
  result.written = as_written(value);
  if (result.kind != Expectation::Kind::value) return;
  const JsonReader tolerance = json.required("tolerance", R"("0.1 %")");
  const bool relative = tolerance.is_string() && tolerance.string().ends_with('%');
  result.tolerance = relative ? tolerance.percent() * std::abs(result.bound)
                              : read_value(tolerance, result.metric.unit);
  if (result.tolerance < 0) throw tolerance.error("is negative", "write 0 or more");
  result.has_tolerance = true;
  result.tolerance_written = as_written(tolerance);
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

std::vector<std::string> keys_of(Expectation::Kind kind, std::string_view key) {
  std::vector<std::string> keys = {"metric", "name", "source", "note", std::string(key)};
  if (kind == Expectation::Kind::chosen) keys.erase(keys.begin());
  if (kind == Expectation::Kind::less_than) {
    keys.insert(keys.end(), {"of", "by_factor", "tolerance"});
  } else {
    keys.push_back("where");
  }
  if (kind == Expectation::Kind::value) keys.push_back("tolerance");
  return keys;
}

Metric read_metric(const JsonReader& json) {
  const JsonReader metric = json.required("metric", R"("time")");
  return metric.located([&] { return parse_metric(metric.string()); });
}

}  // namespace

Expectation read_expectation(const JsonReader& json) {
  const bool of_choice = json.has("chosen");
  const Metric metric = of_choice ? Metric{.name = "chosen"} : read_metric(json);
  const KindRow& kind = kind_of(json);
  json.allow(keys_of(kind.kind, kind.key));
  Expectation result{.kind = kind.kind, .metric = metric, .json = json};
  if (const auto name = json.optional("name")) result.name = name->string();
  if (const auto source = json.optional("source")) result.source = source->string();
  if (const auto note = json.optional("note")) result.note = note->string();
  if (const auto where = json.optional("where")) result.first = read_selector(*where);
  const JsonReader value = json.required(kind.key);
  if (kind.kind == Expectation::Kind::less_than) {
    read_comparison(json, result);
  } else if (kind.kind == Expectation::Kind::order) {
    read_order(value, result);
  } else if (kind.kind == Expectation::Kind::chosen) {
    read_chosen(value, result);
  } else {
    read_bound(json, value, result);
  }
  return result;
}

}  // namespace syncsim
