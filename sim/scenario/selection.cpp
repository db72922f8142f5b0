#include "sim/scenario/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/named_table.h"

namespace syncsim {
namespace {

std::string text_of(const JsonReader& json) {
  return json.is_string() ? json.string() : json.raw().dump();
}

bool has_parameters(const JsonReader& wanted, const Report& report) {
  for (const std::string& key : wanted.keys()) {
    const auto value = report.facts.parameters.find(key);
    if (value == report.facts.parameters.end() || value->second != text_of(wanted.required(key)))
      return false;
  }
  return true;
}

bool has_strategy(const JsonReader& wanted, const Report& report) {
  if (wanted.is_string()) return report.facts.strategy == wanted.string();
  wanted.allow({"name", "parameters"});
  const auto parameters = wanted.optional("parameters");
  return report.facts.strategy == wanted.required("name").string() &&
         (!parameters || has_parameters(*parameters, report));
}

bool has_ranks(const JsonReader& wanted, const Point& point, const Report& report) {
  if (wanted.is_integer()) return report.facts.collective.ranks == wanted.integer();
  return wanted.located([&] { return parse_ranks(wanted.string()); }) == point.ranks;
}

bool has_topology(const JsonReader& wanted, const Point& point, const Report& report) {
  const std::string name = wanted.string();
  return name == report.facts.topology || name == point.topology;
}

bool has_field(const std::string& key, const JsonReader& wanted, const Point& point,
               const Report& report) {
  const Collective& collective = report.facts.collective;
  if (key == "name") return point.name == wanted.string();
  if (key == "topology") return has_topology(wanted, point, report);
  if (key == "strategy") return has_strategy(wanted, report);
  if (key == "parameters") return has_parameters(wanted, report);
  if (key == "ranks") return has_ranks(wanted, point, report);
  if (key == "bytes") return collective.bytes == wanted.bytes();
  if (key == "datatype") return collective.datatype == wanted.string();
  if (key == "rates")
    return report.facts.rates == wanted.located([&] { return parse_rates(wanted.string()); });
  require(key == "collective", "a selector key without a meaning: " + key);
  return collective.kind == wanted.located([&] { return parse_collective(wanted.string()); });
}

bool matches(const Selector& selector, const Point& point, const Report& report) {
  return std::all_of(selector.fields.begin(), selector.fields.end(), [&](const auto& field) {
    return has_field(field.first, field.second, point, report);
  });
}

std::string parameters_text(const RunFacts& facts) {
  std::string text;
  for (const auto& [name, value] : facts.changed) text += fmt::format(" {}={}", name, value);
  return text;
}

}  // namespace

std::vector<std::size_t> select(const Selector& selector, std::span<const Point> points,
                                std::span<const Report> reports, const JsonReader& place) {
  std::vector<std::size_t> selected;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (matches(selector, points[i], reports[i])) selected.push_back(i);
  if (selected.empty())
    throw place.error("selects no point of this scenario",
                      "name fields as the points have them, or add the point");
  return selected;
}

std::string point_label(std::size_t index, std::span<const Point> points,
                        std::span<const Report> reports) {
  if (points.size() == 1) return "";
  if (!points[index].name.empty()) return points[index].name;
  const RunFacts& own = reports[index].facts;
  const auto differs = [&](auto&& field) {
    return std::any_of(reports.begin(), reports.end(),
                       [&](const Report& other) { return field(other.facts) != field(own); });
  };
  std::vector<std::string> words;
  // A machine's name tells its size; only rank subsets of one machine need theirs said.
  const bool machines = differs([](const RunFacts& f) { return f.topology; });
  if (machines) words.push_back(own.topology);
  if (differs([](const RunFacts& f) { return f.strategy + parameters_text(f); }))
    words.push_back(own.strategy + parameters_text(own));
  if (differs([](const RunFacts& f) { return f.collective.kind; }))
    words.emplace_back(to_string(own.collective.kind));
  if (differs([](const RunFacts& f) { return f.collective.bytes; }))
    words.push_back(to_string(own.collective.bytes));
  if (!machines && differs([](const RunFacts& f) { return f.collective.ranks; }))
    words.push_back(fmt::format("{} ranks", own.collective.ranks));
  if (differs([](const RunFacts& f) { return f.rates; }))
    words.push_back(fmt::format("{} rates", to_string(own.rates)));
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace syncsim
