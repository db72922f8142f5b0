#include "sim/scenario/scenario.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/scenario/axis.h"

namespace syncsim {
namespace {

const std::vector<std::string> kOwnKeys = {"source", "note", "points", "sweep", "expect"};

std::vector<std::string> allowed_keys() {
  std::vector<std::string> keys = point_fields();
  keys.insert(keys.end(), kOwnKeys.begin(), kOwnKeys.end());
  return keys;
}

// The object's point fields over those of `under`. A scenario's name is not its points'.
Fields overlaid(Fields under, const JsonReader& json) {
  for (const std::string& key : point_fields())
    if (const auto value = json.optional(key)) under.insert_or_assign(key, *value);
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

// Every field set with every value of the axis, which is the fastest to change.
std::vector<Fields> multiplied(const std::vector<Fields>& points, const std::string& key,
                               const JsonReader& axis) {
  const std::vector<JsonReader> values = axis_values(key, axis);
  if (points.size() > kMostPoints / values.size())
    throw axis.error(fmt::format("makes more than {} points", kMostPoints), "sweep over less");
  std::vector<Fields> result;
  for (const Fields& point : points) {
    for (const JsonReader& value : values) {
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

// Fields of points, and any parameter by its name.
void allow_axes(const JsonReader& sweep) {
  std::vector<std::string> allowed = point_fields();
  for (const std::string& key : sweep.keys())
    if (key.starts_with(kParameterAxis) && key != kParameterAxis) allowed.push_back(key);
  sweep.allow(allowed);
}

std::vector<Fields> swept(const JsonReader& json, std::vector<Fields> points) {
  const auto sweep = json.optional("sweep");
  if (!sweep) return points;
  allow_axes(*sweep);
  for (const std::string& key : sweep->keys()) {
    refuse_double(json, key, sweep->required(key));
    points = multiplied(points, key, sweep->required(key));
  }
  return points;
}

// A barrier does without.
bool needs_bytes(const Fields& fields) {
  const auto collective = fields.find("collective");
  return collective == fields.end() || !collective->second.is_string() ||
         collective->second.string() != to_string(CollectiveKind::barrier);
}

// What a point cannot do without.
void demand(const JsonReader& json, const Fields& fields) {
  for (const char* key : {"topology", "strategy", "bytes"})
    if (!fields.contains(key) && (key != std::string_view("bytes") || needs_bytes(fields)))
      throw json.error(fmt::format("\"{}\" is missing", key),
                       fmt::format("add \"{}\", here, in every point or in the sweep", key));
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
  if (const auto expect = json.optional("expect"))
    for (const JsonReader& claim : expect->elements())
      scenario.expectations.push_back(read_expectation(claim));
  return scenario;
}

}  // namespace syncsim
