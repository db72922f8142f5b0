#include "sim/scenario/sweep_points.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "sim/base/hash.h"
#include "sim/base/text_file.h"
#include "sim/scenario/plan_strategy.h"
#include "sim/scenario/sweep_row.h"
#include "sim/topology/topology_json.h"

namespace syncsim {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string digits(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

bool names_a_file(std::string_view text) {
  return text.find('/') != text.npos || text.ends_with(".json");
}

// Every text that may name a machine's file; what names none does no harm.
void add_references(const Json& value, std::vector<std::string>& references) {
  if (value.is_string() && names_a_file(value.get_ref<const std::string&>()))
    references.push_back(value.get<std::string>());
  if (value.is_structured())
    for (const Json& each : value) add_references(each, references);
}

std::vector<std::string> files_in(const Json& machine, const fs::path& folder) {
  std::vector<std::string> references;
  add_references(machine, references);
  for (std::string& reference : references) reference = (folder / reference).string();
  return references;
}

// Of paths in the text, what lies in the folder, without it.
std::string without(std::string folder, const std::string& text) {
  if (folder.empty()) return text;
  if (!folder.ends_with('/')) folder += '/';
  std::string result;
  std::size_t from = 0;
  for (std::size_t at; (at = text.find(folder, from)) != text.npos; from = at + folder.size()) {
    const bool begins = at == 0 || std::string_view(" \"'(").find(text[at - 1]) != text.npos;
    result += text.substr(from, at - from + (begins ? 0 : folder.size()));
  }
  return result + text.substr(from);
}

}  // namespace

SweepPoints::SweepPoints(const std::string& scenario, const std::string& shelf, bool check)
    : shelf_(shelf), folder_(fs::path(scenario).parent_path().string()), check_(check) {}

std::string SweepPoints::beside(const std::string& path) const {
  const auto whole = [](const fs::path& given) { return fs::absolute(given).lexically_normal(); };
  return whole(path).lexically_relative(whole(folder_.empty() ? "." : folder_)).string();
}

Point SweepPoints::named(Point point) const {
  if (names_a_file(point.topology)) point.topology = beside(point.topology);
  if (!point.background.empty()) point.background = beside(point.background);
  if (!point.rings.empty()) point.rings = beside(point.rings);
  if (is_plan(point.strategy)) point.strategy = plan_strategy(beside(plan_path(point.strategy)));
  return point;
}

std::string SweepPoints::named_error(const std::string& text) const {
  return without(folder_, without(shelf_, text));
}

// 0 where there is no such file.
std::uint64_t SweepPoints::print_of(const std::string& path) {
  const auto known = prints_.find(path);
  if (known != prints_.end()) return known->second;
  const std::optional<std::string> text = text_if_file(path);
  return prints_[path] = text ? hashed(*text) : 0;
}

std::uint64_t SweepPoints::machine_print(const std::string& path) {
  const auto known = machines_.find(path);
  if (known != machines_.end()) return known->second;
  machines_[path] = 0;  // a machine that holds itself is refused when it runs
  const std::optional<std::string> text = text_if_file(path);
  if (!text) return 0;
  std::string prints = digits(hashed(*text));
  const Json json = Json::parse(*text, nullptr, false);
  for (const std::string& file : files_in(json, fs::path(path).parent_path()))
    prints += digits(machine_print(file));
  return machines_[path] = hashed(prints);
}

std::string SweepPoints::digest_of(const Point& point) {
  std::string text = asked_text(named(point)) + (check_ ? "proved\n" : "not proved\n");
  const std::scoped_lock lock(mutex_);
  if (point.inline_topology)
    for (const std::string& file : files_in(point.inline_topology->raw(), folder_))
      text += digits(machine_print(file));
  else if (names_a_file(point.topology))
    text += digits(machine_print(point.topology));
  if (point.training && names_a_file(point.training->model))
    text += digits(print_of(point.training->model));
  if (point.training && !point.training->jitter.trace_file.empty())
    text += digits(print_of(point.training->jitter.trace_file));
  if (is_plan(point.strategy)) text += digits(print_of(plan_path(point.strategy)));
  for (const std::string& file : {point.background, point.rings})
    if (!file.empty()) text += digits(print_of(file));
  return digits(hashed(text));
}

}  // namespace syncsim
