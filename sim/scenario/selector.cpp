#include "sim/scenario/selector.h"
#include "sim/scenario/library/library_field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "sim/scenario/axis.h"
#include "sim/scenario/plan_strategy.h"

namespace syncsim {
namespace {

// Of edits or events.
template <class Written>
std::string texts_of(const std::vector<Written>& list) {
  std::vector<std::string> texts;
  for (const Written& written : list) texts.push_back(written.text);
  return fmt::format("{}", fmt::join(texts, "; "));
}

// The value as points are read: a point that has nothing but this field.
Point read_alone(const std::string& key, const JsonReader& wanted) {
  return read_point({{key, wanted}});
}

bool has_parameter(const std::string& name, const JsonReader& wanted, const Report& report) {
  const Point alone = read_alone(std::string(kParameterAxis) + name, wanted);
  const auto value = report.facts.parameters.find(name);
  return value != report.facts.parameters.end() && value->second == alone.parameters.at(name);
}

bool has_parameters(const JsonReader& wanted, const Report& report) {
  bool has_all = true;  // all are read
  for (const auto& [name, value] : wanted.members())
    has_all = has_parameter(name, value, report) && has_all;
  return has_all;
}

bool names(const JsonReader& wanted, const std::string& strategy) {
  return wanted.string() == strategy ||
         (is_plan(wanted.string()) && strategy_reference(wanted) == strategy);
}

bool has_strategy(const JsonReader& wanted, const Report& report) {
  if (!wanted.is_object()) return names(wanted, report.facts.strategy);
  wanted.allow({"name", "parameters"});
  const auto parameters = wanted.optional("parameters");
  const bool has_all = !parameters || has_parameters(*parameters, report);
  return names(wanted.required("name"), report.facts.strategy) && has_all;
}

bool has_ranks(const JsonReader& wanted, const Point& point, const Report& report) {
  if (wanted.is_integer()) return report.facts.collective.ranks == wanted.integer(1, kMostRanks);
  if (!wanted.is_string()) throw wanted.found_instead(R"(write their number, or such as "0-3")");
  return wanted.located([&] { return parse_ranks(wanted.string()); }) == point.ranks;
}

bool has_topology(const JsonReader& wanted, const Point& point, const Report& report) {
  if (wanted.is_object())
    return point.inline_topology && point.inline_topology->raw() == wanted.raw();
  return wanted.string() == report.facts.topology ||
         (!point.topology.empty() && topology_reference(wanted) == point.topology);
}

bool has_edits(const JsonReader& wanted, const Point& point) {
  if (wanted.is_string())
    return wanted.string() == point.edits_name || wanted.string() == texts_of(point.edits);
  const Point alone = read_alone("edits", wanted);
  return texts_of(alone.edits) == texts_of(point.edits) &&
         (alone.edits_name.empty() || alone.edits_name == point.edits_name);
}

std::string edits_text(const Point& point) {
  if (!point.edits_name.empty()) return point.edits_name;
  return point.edits.empty() ? "[]" : texts_of(point.edits);
}

std::string ranks_text(const Point& point, const Report& report) {
  return point.ranks.empty() ? std::to_string(report.facts.collective.ranks)
                             : fmt::format("{}", fmt::join(point.ranks, ","));
}

std::string parameters_text(const Point&, const Report& report) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : report.facts.parameters) texts.push_back(name + "=" + value);
  return fmt::format("{}", fmt::join(texts, " "));
}

std::string library_of(const Point& point) {
  return point.library ? library_text(*point.library) : "no library";
}

std::string written_keys(const Point& point) {
  return point.script ? point.script->written_keys : "null";
}
std::string written_calls(const Point& point) {
  return point.script ? point.script->written_calls : "null";
}

template <auto kField>
bool has_same(const std::string& key, const JsonReader& wanted, const Point& point, const Report&) {
  return read_alone(key, wanted).*kField == point.*kField;
}

struct SelectorRow {
  std::string_view name;
  bool (*has)(const std::string& key, const JsonReader& wanted, const Point& point,
              const Report& report);
  std::string (*text)(const Point& point, const Report& report);
};

using Key = std::string;
const SelectorRow kSelectorRows[] = {
    {"name", has_same<&Point::name>, [](const Point& p, const Report&) { return p.name; }},
    {"topology",
     [](const Key&, const JsonReader& j, const Point& p, const Report& r) {
       return has_topology(j, p, r);
     },
     [](const Point&, const Report& r) { return r.facts.topology; }},
    {"edits",
     [](const Key&, const JsonReader& j, const Point& p, const Report&) { return has_edits(j, p); },
     [](const Point& p, const Report&) { return edits_text(p); }},
    {"collective", has_same<&Point::collective>,
     [](const Point& p, const Report&) { return std::string(to_string(p.collective)); }},
    {"bytes",
     [](const Key&, const JsonReader& j, const Point&, const Report& r) {
       return j.bytes() == r.facts.collective.bytes;
     },
     [](const Point&, const Report& r) { return to_string(r.facts.collective.bytes); }},
    {"datatype", has_same<&Point::datatype>,
     [](const Point& p, const Report&) { return p.datatype; }},
    {"root", has_same<&Point::root>,
     [](const Point& p, const Report&) { return std::to_string(p.root); }},
    {"ranks",
     [](const Key&, const JsonReader& j, const Point& p, const Report& r) {
       return has_ranks(j, p, r);
     },
     ranks_text},
    {"strategy",
     [](const Key&, const JsonReader& j, const Point&, const Report& r) {
       return has_strategy(j, r);
     },
     [](const Point&, const Report& r) { return r.facts.strategy; }},
    {"parameters",
     [](const Key&, const JsonReader& j, const Point&, const Report& r) {
       return has_parameters(j, r);
     },
     parameters_text},
    {"executor", has_same<&Point::executor>,
     [](const Point& p, const Report&) { return p.executor; }},
    {"rates", has_same<&Point::rates>,
     [](const Point& p, const Report&) { return std::string(to_string(p.rates)); }},
    {"overhead", has_same<&Point::overhead>,
     [](const Point& p, const Report&) { return to_exact_string(p.overhead); }},
    {"reduction", has_same<&Point::reduction>,
     [](const Point& p, const Report&) { return std::string(to_string(p.reduction)); }},
    {"seed", has_same<&Point::seed>,
     [](const Point& p, const Report&) { return std::to_string(p.seed); }},
    {"start", has_same<&Point::start>,
     [](const Point&, const Report& r) { return r.facts.start_text(); }},
    {"background", has_same<&Point::background>,
     [](const Point& p, const Report&) { return p.background; }},
    {"library",
     [](const Key&, const JsonReader& j, const Point& p, const Report&) {
       return library_of(p) == library_text(read_library(j));
     },
     [](const Point& p, const Report&) { return library_of(p); }},
    {"rings", has_same<&Point::rings>, [](const Point& p, const Report&) { return p.rings; }},
    {"events",
     [](const Key& key, const JsonReader& j, const Point& p, const Report&) {
       return texts_of(read_alone(key, j).events) == texts_of(p.events);
     },
     [](const Point& p, const Report&) { return texts_of(p.events); }},
    {"keys",
     [](const Key&, const JsonReader& j, const Point& p, const Report&) {
       (void)j.members();
       return j.raw().dump() == written_keys(p);
     },
     [](const Point& p, const Report&) { return written_keys(p); }},
    {"calls",
     [](const Key&, const JsonReader& j, const Point& p, const Report&) {
       (void)j.elements();
       return j.raw().dump() == written_calls(p);
     },
     [](const Point& p, const Report&) { return written_calls(p); }},
};

// Objects are the same in any order of their keys.
bool same_json(const JsonReader& wanted, const std::string& written) {
  return nlohmann::json::parse(wanted.raw().dump()) == nlohmann::json::parse(written);
}

// A value that cannot be read throws; others are compared as they are written.
bool has_training(const TrainingFieldRow& field, const JsonReader& wanted, const Point& point) {
  Training ignored;
  field.read(wanted, ignored);
  return same_json(wanted, training_value(point, field));
}

const SelectorRow* row_of(const std::string& key) {
  for (const SelectorRow& row : kSelectorRows)
    if (row.name == key) return &row;
  return nullptr;
}

}  // namespace

bool has_field(const std::string& key, const JsonReader& wanted, const Point& point,
               const Report& report) {
  if (const auto name = parameter_of(key)) return has_parameter(*name, wanted, report);
  if (const TrainingFieldRow* field = training_field(key))
    return has_training(*field, wanted, point);
  const SelectorRow* const row = row_of(key);
  require(row != nullptr, "a selector key without a meaning: " + key);
  return row->has(key, wanted, point, report);
}

std::string field_text(const std::string& key, const Point& point, const Report& report) {
  if (const auto name = parameter_of(key)) {
    const auto value = report.facts.parameters.find(*name);
    return value == report.facts.parameters.end() ? "" : value->second;
  }
  if (const TrainingFieldRow* field = training_field(key)) return training_value(point, *field);
  return row_of(key)->text(point, report);
}

Selector read_selector(const JsonReader& json) {
  if (!json.is_object())
    throw json.found_instead(R"(write fields of points, such as {"strategy": "ring"}; {}: all)");
  const Point nothing;
  const Report none;
  for (const auto& [key, wanted] : json.members()) {
    if (row_of(key) == nullptr && training_field(key) == nullptr && !parameter_of(key))
      throw unknown_axis(key).at(wanted.place());
    has_field(key, wanted, nothing, none);  // it can be read
  }
  return {json.members(), json.place()};
}

}  // namespace syncsim
