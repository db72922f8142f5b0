#include "sim/scenario/point.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/base/quote.h"
#include "sim/scenario/axis.h"
#include "sim/scenario/library/library_field.h"
#include "sim/scenario/plan_strategy.h"
#include "sim/scenario/range.h"
#include "sim/scenario/select.h"
#include "sim/topology/delay.h"

namespace syncsim {
namespace {

// A strategy's parameter values are text, whatever their JSON type.
void read_parameter(const std::string& name, const JsonReader& value, Point& point) {
  if (!value.is_string() && !value.is_integer())
    throw value.error("is no parameter value", "write text or a whole number");
  point.parameters[name] = value.is_string() ? value.string() : std::to_string(value.integer());
  point.parameter_places[name] = value.place();
}

void read_parameters(const JsonReader& json, Point& point) {
  for (const auto& [key, value] : json.members()) read_parameter(key, value, point);
}

void read_strategy(const JsonReader& json, Point& point) {
  if (json.is_string()) {
    point.strategy = strategy_reference(json);
  } else if (json.is_object()) {
    json.allow({"name", "parameters"});
    point.strategy = strategy_reference(json.required("name", R"("ring")"));
    if (const auto parameters = json.optional("parameters")) read_parameters(*parameters, point);
  } else {
    throw json.found_instead("write a name, or {\"name\": ..., \"parameters\": {...}}");
  }
  json.located([&] { require_strategy_name(point.strategy); });
}

void read_topology_field(const JsonReader& json, Point& point) {
  if (json.is_object()) {
    point.inline_topology = json;
  } else {
    point.topology = topology_reference(json);
  }
}

void read_edits(const JsonReader& json, Point& point) {
  if (json.is_object()) {
    json.allow({"name", "edits"});
    point.edits_name = json.required("name", R"("x8 slot")").string();
  }
  const JsonReader list = json.is_object() ? json.required("edits", "[...]") : json;
  if (!list.is_array())
    throw list.found_instead(R"(write a list of edits [...], or {"name": ..., "edits": [...]})");
  std::vector<Edit> edits;
  for (const JsonReader& element : list.elements()) {
    if (!element.is_string() && !element.is_object())
      throw element.found_instead("write an edit such as \"remove node:nic0\", or an object {...}");
    edits.push_back(element.is_object() ? read_edit(element) : element.located([&] {
      return parse_edit(element.string());
    }));
    edits.back().place = element.place();
  }
  point.edits = std::move(edits);
}

void read_bytes(const JsonReader& json, Point& point) {
  if (json.is_string() && is_range(json.string()))
    throw json.error(in_quotes(json.string()) + " is a range, and a point has one size",
                     "move it into \"sweep\": {\"bytes\": ...}");
  point.bytes = json.bytes();
}

std::vector<LinkEvent> read_events(const JsonReader& json) {
  std::vector<LinkEvent> events;
  for (const JsonReader& element : json.elements()) events.push_back(read_link_event(element));
  return events;
}

// {"3": "5 ms", "4-7": "1 ms"}
void read_start(const JsonReader& json, Point& point) {
  point.start.clear();
  for (const auto& member : json.members()) {
    const JsonReader& at = member.second;
    at.located([&] { add_start(point.start, member.first, checked_delay(at.time())); });
  }
}

std::string read_datatype(const JsonReader& json) {
  return std::string(json.located([&] { return datatypes().at(json.string()); }).name);
}

// What a training step says by its model.
constexpr std::string_view kNotOfTraining[] = {"bytes", "collective", "datatype",
                                               "root",  "start",      "library"};

// It sums in place of a strategy.
void take_store(const Fields& fields, Point& point) {
  for (const char* name : {"strategy", "parameters", "rings"})
    if (const auto field = fields.find(name); field != fields.end())
      throw field->second.error("a key-value store sums by itself",
                                "leave out one of \"store\" and \"" + std::string(name) + "\"");
  point.strategy = kStoreStrategy;
}

void read_training(const Fields& fields, Point& point) {
  const auto model = fields.find("model");
  for (const TrainingFieldRow& row : training_fields()) {
    const auto field = fields.find(std::string(row.name));
    if (field == fields.end()) continue;
    if (row.name == "store" && fields.contains("keys")) continue;
    if (model == fields.end())
      throw field->second.error(in_quotes(field->first) + " is of training steps",
                                "add \"model\", or leave it out");
    if (!point.training) point.training.emplace();
    row.read(field->second, *point.training);
    point.training->written[field->first] = field->second.raw().dump();
    point.places[field->first] = field->second.place();
  }
  if (!point.training) return;
  if (point.training->store && sums_itself(*point.training->store)) take_store(fields, point);
  for (const std::string_view name : kNotOfTraining)
    if (const auto field = fields.find(std::string(name)); field != fields.end())
      throw field->second.error(in_quotes(name) + " is not of training steps",
                                "leave it out: a step sums its model's gradients");
}

// What calls of a store say by themselves.
constexpr std::string_view kNotOfCalls[] = {"model",    "bytes", "collective",
                                            "datatype", "root",  "library"};

void read_calls(const Fields& fields, Point& point) {
  const auto keys = fields.find("keys");
  const auto calls = fields.find("calls");
  if (keys == fields.end()) {
    if (calls == fields.end()) return;
    throw calls->second.error("calls are of keys", R"(add such as "keys": {"fc": "40 MB"})");
  }
  const auto store = fields.find("store");
  if (store == fields.end())
    throw keys->second.error("keys are of a key-value store", R"(add such as "store": "device")");
  for (const std::string_view name : kNotOfCalls)
    if (const auto field = fields.find(std::string(name)); field != fields.end())
      throw field->second.error(in_quotes(name) + " is not of a store's calls",
                                "leave it out: their keys say it");
  point.script =
      read_script(keys->second, calls == fields.end() ? nullptr : &calls->second, store->second);
  point.bytes = bytes_of(*point.script);
  if (only_inits(*point.script)) point.collective = CollectiveKind::broadcast;
  if (sums_itself(point.script->store)) take_store(fields, point);
  for (const char* name : {"keys", "calls", "store"})
    if (const auto field = fields.find(name); field != fields.end())
      point.places[name] = field->second.place();
}

// One row a field: adding a field is adding a row.
struct FieldRow {
  std::string_view name;
  void (*read)(const JsonReader& json, Point& point);
};

const FieldRow kFields[] = {
    {"name", [](const JsonReader& json, Point& point) { point.name = json.string(); }},
    {"topology", read_topology_field},
    {"edits", read_edits},
    {"collective",
     [](const JsonReader& json, Point& point) {
       point.collective = json.located([&] { return parse_collective(json.string()); });
     }},
    {"bytes", read_bytes},
    {"datatype",
     [](const JsonReader& json, Point& point) { point.datatype = read_datatype(json); }},
    {"root", [](const JsonReader& json,
                Point& point) { point.root = static_cast<int>(json.integer(0, kMostRoot)); }},
    {"ranks",
     [](const JsonReader& json, Point& point) {
       point.ranks = json.located([&] { return parse_ranks(json.string()); });
     }},
    {"strategy", read_strategy},
    {"parameters", read_parameters},  // on top of the strategy's own: a sweep can vary them alone
    {"executor", [](const JsonReader& json, Point& point) { point.executor = json.string(); }},
    {"rates",
     [](const JsonReader& json, Point& point) {
       point.rates = json.located([&] { return parse_rates(json.string()); });
     }},
    {"overhead",
     [](const JsonReader& json, Point& point) {
       point.overhead = json.located([&] { return checked_delay(json.time()); });
     }},
    {"reduction",
     [](const JsonReader& json, Point& point) {
       point.reduction = json.located([&] { return parse_reduction(json.string()); });
     }},
    {"seed",
     [](const JsonReader& json, Point& point) {
       point.seed = static_cast<std::uint32_t>(json.integer(0, 0xffffffff));
     }},
    {"start", read_start},
    {"background",
     [](const JsonReader& json, Point& point) { point.background = optional_path(json); }},
    {"rings", [](const JsonReader& json, Point& point) { point.rings = optional_path(json); }},
    {"library", [](const JsonReader& json, Point& point) { point.library = read_library(json); }},
    {"events", [](const JsonReader& json, Point& point) { point.events = read_events(json); }},
    {"keys", [](const JsonReader&, Point&) {}},  // with the store: read_calls
    {"calls", [](const JsonReader&, Point&) {}},
};

}  // namespace

void add_start(std::map<int, Time>& starts, std::string_view ranks, Time at) {
  for (const int rank : parse_ranks(ranks))
    if (!starts.emplace(rank, at).second)
      throw InputError(fmt::format("rank {} starts twice", rank), "say one time of it");
}

std::string Point::place(std::string_view field) const {
  const auto found = places.find(std::string(field));
  return found == places.end() ? "" : found->second;
}

void refuse_parameters(const Point& point, const std::string& who) {
  if (!point.rings.empty())
    throw InputError(who + " takes no file of rings", "name the strategy \"ring\"",
                     point.place("rings"));
  if (point.parameters.empty()) return;
  const std::string& name = point.parameters.begin()->first;
  const auto place = point.parameter_places.find(name);
  throw InputError(fmt::format("{} takes no parameter, {} neither", who, in_quotes(name)),
                   "leave it out, or name a strategy",
                   place == point.parameter_places.end() ? "" : place->second);
}

const std::vector<std::string>& point_fields() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const FieldRow& field : kFields) result.emplace_back(field.name);
    for (const TrainingFieldRow& field : training_fields()) result.emplace_back(field.name);
    return result;
  }();
  return names;
}

std::string path_beside(const JsonReader& json) {
  return (std::filesystem::path(json.file()).parent_path() / json.string()).string();
}

std::string topology_reference(const JsonReader& json) {
  const std::string text = json.string();
  const bool is_path = text.find('/') != std::string::npos || text.ends_with(".json");
  return is_path ? path_beside(json) : text;
}

std::string optional_path(const JsonReader& json) {
  return json.raw().is_null() ? "" : path_beside(json);
}

Point read_point(const Fields& fields) {
  Point point;
  for (const FieldRow& row : kFields) {
    const auto field = fields.find(std::string(row.name));
    if (field == fields.end()) continue;
    row.read(field->second, point);
    point.places[field->first] = field->second.place();
  }
  read_training(fields, point);
  read_calls(fields, point);
  for (const auto& [key, value] : fields)
    if (key.starts_with(kParameterAxis))
      read_parameter(key.substr(kParameterAxis.size()), value, point);
  return point;
}

}  // namespace syncsim
