#include "sim/scenario/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/quote.h"
#include "sim/scenario/axis.h"

namespace syncsim {
namespace {

const std::vector<std::string> kOwnKeys = {"source", "note", "points", "sweep", "expect"};

std::vector<std::string> allowed_keys() {
  std::vector<std::string> keys = point_fields();
  keys.insert(keys.end(), kOwnKeys.begin(), kOwnKeys.end());
  return keys;
}

// Names of the parameters that a field of points sets.
std::vector<std::string> parameters_in(const std::string& key, const JsonReader& value) {
  if (const auto parameter = parameter_of(key)) return {*parameter};
  if (!value.is_object()) return {};
  if (key == "parameters") return value.keys();
  const auto own = key == "strategy" ? value.optional("parameters") : std::nullopt;
  return own && own->is_object() ? own->keys() : std::vector<std::string>();
}

// A parameter that both fields of a point set: one would silently replace the other's.
void refuse_same_parameter(const std::string& key, const JsonReader& value,
                           const std::string& other_key, const JsonReader& other) {
  const std::vector<std::string> names = parameters_in(key, value);
  if (names.empty()) return;
  const std::vector<std::string> others = parameters_in(other_key, other);
  for (const std::string& name : names)
    if (std::find(others.begin(), others.end(), name) != others.end())
      throw value.error(
          fmt::format("sets the parameter {}, which {} sets too", in_quotes(name), other.place()),
          "set it in one of the two");
}

// The object's point fields over those of `under`. A scenario's name is not its points'.
Fields overlaid(Fields under, const JsonReader& json) {
  for (const std::string& key : point_fields())
    if (const auto value = json.optional(key)) under.insert_or_assign(key, *value);
  const auto strategy = json.optional("strategy");
  const auto parameters = under.find("parameters");
  if (strategy && parameters != under.end())  // which would win
    refuse_same_parameter("strategy", *strategy, "parameters", parameters->second);
  return under;
}

std::vector<Fields> listed_points(const JsonReader& json, const Fields& shared) {
  const auto points = json.optional("points");
  if (!points) return {shared};
  std::vector<Fields> result;
  for (const JsonReader& point : points->elements()) {
    point.allow(point_fields());
    result.push_back(overlaid(shared, point));
  }
  if (result.empty()) throw points->error("is empty", "list at least one point, or leave it out");
  return result;
}

// A parameter of a swept value that another field of the point sets too. Over the file's own fields
// a sweep lies, but for strategies, whose parameters would lose against these.
void refuse_double_parameters(const JsonReader& json, const Fields& point, const std::string& key,
                              const JsonReader& value) {
  if (parameters_in(key, value).empty()) return;
  for (const auto& [other_key, other] : point) {
    const auto own = json.optional(other_key);
    const bool is_own = own && own->place() == other.place();
    if (other_key != key && (!is_own || key == "strategy"))
      refuse_same_parameter(key, value, other_key, other);
  }
}

// Every field set with every value of the axis, which is the fastest to change.
std::vector<Fields> multiplied(const JsonReader& json, const std::vector<Fields>& points,
                               const std::string& key, const JsonReader& axis) {
  const std::vector<JsonReader> values = axis_values(key, axis);
  if (points.size() > kMostPoints / values.size())
    throw axis.error(fmt::format("makes more than {} points", kMostPoints), "sweep over less");
  std::vector<Fields> result;
  for (const Fields& point : points) {
    for (const JsonReader& value : values) {
      refuse_double_parameters(json, point, key, value);
      result.push_back(point);
      result.back().insert_or_assign(key, value);
    }
  }
  return result;
}

// Of a field of points, or one of its "parameters".
bool sets(const JsonReader& point, const std::string& key) {
  if (!key.starts_with(kParameterAxis)) return point.has(key);
  const auto parameters = point.optional("parameters");
  return parameters && parameters->has(key.substr(kParameterAxis.size()));
}

// A field of a listed point that a sweep would silently replace.
void refuse_double(const JsonReader& json, const std::string& key, const JsonReader& axis) {
  const auto points = json.optional("points");
  if (!points) return;
  for (const JsonReader& point : points->elements())
    if (sets(point, key))
      throw axis.error(fmt::format("sweeps over \"{}\", which {} sets", key, point.place()),
                       "set it in one of the two");
}

// Claims tell lists of edits apart by their names.
void refuse_same_names(const JsonReader& axis) {
  std::map<std::string, std::string> places;
  for (const JsonReader& value : axis.elements()) {
    if (!value.is_object()) continue;
    const JsonReader name = value.required("name", R"("x8 slot")");
    const auto [earlier, is_new] = places.emplace(name.string(), name.place());
    if (!is_new)
      throw name.error(
          in_quotes(name.string()) + " is the name of other edits, at " + earlier->second,
          "give each list of edits its own name");
  }
}

// Fields of points, and any parameter by its name.
void allow_axes(const JsonReader& sweep) {
  const std::vector<std::string>& fields = point_fields();
  for (const auto& [key, axis] : sweep.members())
    if (!parameter_of(key) && std::find(fields.begin(), fields.end(), key) == fields.end())
      throw unknown_axis(key).at(axis.place());
}

std::vector<Fields> swept(const JsonReader& json, std::vector<Fields> points) {
  const auto sweep = json.optional("sweep");
  if (!sweep) return points;
  allow_axes(*sweep);
  for (const std::string& key : sweep->keys()) {
    refuse_double(json, key, sweep->required(key));
    points = multiplied(json, points, key, sweep->required(key));
    if (key == "edits") refuse_same_names(sweep->required(key));
  }
  return points;
}

// A barrier does without, and so does a training step.
bool needs_bytes(const Fields& fields) {
  if (fields.contains("model") || fields.contains("keys")) return false;
  const auto collective = fields.find("collective");
  return collective == fields.end() || !collective->second.is_string() ||
         collective->second.string() != to_string(CollectiveKind::barrier);
}

// What a point cannot do without.
void demand(const JsonReader& json, const Fields& fields) {
  for (const char* key : {"topology", "strategy", "bytes"}) {
    if (key == std::string_view("strategy") && fields.contains("store") &&
        sums_itself(read_store(fields.at("store"))))
      continue;
    if (!fields.contains(key) && (key != std::string_view("bytes") || needs_bytes(fields)))
      throw json.error(fmt::format("\"{}\" is missing", key),
                       fmt::format("add \"{}\", here, in every point or in the sweep", key));
  }
}

// The same of listed points: a name may come again, with the same edits.
void refuse_ambiguous_names(const std::vector<Point>& points) {
  std::map<std::string, const Point*> known;
  const auto same = [](const Edit& a, const Edit& b) { return a.text == b.text; };
  for (const Point& point : points) {
    if (point.edits_name.empty()) continue;
    const Point& first = *known.emplace(point.edits_name, &point).first->second;
    if (!std::equal(point.edits.begin(), point.edits.end(), first.edits.begin(), first.edits.end(),
                    same))
      throw InputError(
          in_quotes(point.edits_name) + " is the name of other edits, at " + first.place("edits"),
          "give each list of edits its own name", point.place("edits"));
  }
}

}  // namespace

Scenario read_scenario(const JsonReader& json) {
  json.allow(allowed_keys());
  Scenario scenario;
  scenario.file = json.file();
  const auto name = json.optional("name");
  scenario.name = name ? name->string() : std::filesystem::path(json.file()).stem().string();
  if (const auto source = json.optional("source")) scenario.source = source->string();
  if (const auto note = json.optional("note")) scenario.note = note->string();

  Fields shared = overlaid({}, json);
  shared.erase("name");
  for (const Fields& fields : swept(json, listed_points(json, shared))) {
    demand(json, fields);
    scenario.points.push_back(read_point(fields));
    if (name) scenario.points.back().scenario = scenario.name;
  }
  refuse_ambiguous_names(scenario.points);
  if (const auto expect = json.optional("expect"))
    for (const JsonReader& claim : expect->elements())
      scenario.expectations.push_back(read_expectation(claim));
  return scenario;
}

}  // namespace syncsim
