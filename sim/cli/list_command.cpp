// syncsim list: what there is, one line each, from the same tables that the program uses.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/cli/command.h"
#include "sim/exec/executor.h"
#include "sim/report/formats.h"
#include "sim/scenario/select.h"
#include "sim/scenario/verdicts/verdicts.h"
#include "sim/topology/export/exporter.h"
#include "sim/topology/import/importer.h"
#include "sim/topology/kinds.h"
#include "sim/topology/topology_json.h"

namespace syncsim::cli {
namespace {

struct Entry {
  std::string name;
  std::string description;
  std::vector<ParameterRow> parameters;
  bool choice = false;  // among strategies
};

template <class Row>
std::vector<Entry> entries(const NamedTable<Row>& table) {
  std::vector<Entry> result;
  for (const Row& row : table.rows())
    result.push_back({std::string(row.name), std::string(row.description), {}});
  return result;
}

std::vector<Entry> strategy_entries() {
  std::vector<Entry> result = entries(strategies());
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i].parameters = strategies().rows()[i].parameters;
  for (const ChoiceRow& row : choices().rows())
    result.push_back({std::string(row.name), std::string(row.description), {}, true});
  std::sort(result.begin(), result.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return result;
}

std::vector<Entry> topology_entries() {
  const std::string shelf = find_data().topologies;
  std::vector<Entry> result;
  for (const std::string& name : shelf_names(shelf))
    result.push_back({name, load_topology(name, shelf).description(), {}});
  return result;
}

std::vector<Entry> profile_entries() {
  const LinkRates rates = LinkRates::load(find_data().topologies + "/rates");
  std::vector<Entry> result;
  for (const RateProfile& profile : rates.profiles())
    result.push_back({profile.name, profile.description, {}});
  std::sort(result.begin(), result.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return result;
}

// A name may be a format of several things: of reports, of what is imported, of what is exported.
std::vector<Entry> format_entries() {
  std::map<std::string, std::string> uses;
  const auto add = [&](std::string_view use, const auto& table) {
    for (const auto& row : table.rows()) {
      std::string& text = uses[std::string(row.name)];
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", use, row.description);
    }
  };
  add("report", report_formats());
  add("check", verdict_formats());
  add("import", importers());
  add("export", exporters());
  std::vector<Entry> result;
  for (const auto& [name, use] : uses) result.push_back({name, use, {}});
  return result;
}

struct Listing {
  std::string_view name;
  std::vector<Entry> (*entries)();
};

const NamedTable<Listing>& listings() {
  static const NamedTable<Listing> table("list",
                                         {{"strategies", strategy_entries},
                                          {"collectives", [] { return entries(collectives()); }},
                                          {"topologies", topology_entries},
                                          {"kinds", [] { return entries(topology_kinds()); }},
                                          {"executors", [] { return entries(executors()); }},
                                          {"profiles", profile_entries},
                                          {"formats", format_entries},
                                          {"datatypes", [] { return entries(datatypes()); }}});
  return table;
}

std::string as_text(const std::vector<Entry>& entries) {
  std::size_t width = 16;
  for (const Entry& entry : entries) width = std::max(width, entry.name.size());
  std::string text;
  for (const Entry& entry : entries) {
    text += fmt::format("{:<{}} {}\n", entry.name, width, entry.description);
    for (const ParameterRow& row : entry.parameters)
      text += fmt::format("{:<{}}   {}={}: {}\n", "", width, row.name, row.default_value,
                          row.description);
  }
  return text;
}

using Json = nlohmann::ordered_json;

Json as_json(const ParameterRow& row) {
  Json json = {
      {"name", row.name}, {"default", row.default_value}, {"description", row.description}};
  if (!row.tried.empty()) json["tried"] = row.tried;
  return json;
}

std::string as_json(const std::string& what, const std::vector<Entry>& entries) {
  Json list = Json::array();
  for (const Entry& entry : entries) {
    Json item = {{"name", entry.name}, {"description", entry.description}};
    for (const ParameterRow& row : entry.parameters) item["parameters"].push_back(as_json(row));
    if (entry.choice) item["choice"] = true;
    list.push_back(std::move(item));
  }
  return Json{{what, std::move(list)}}.dump(2) + "\n";
}

}  // namespace

std::function<int()> declare_list(CLI::App& app) {
  const auto what = std::make_shared<std::string>();
  const auto format = std::make_shared<std::string>("text");
  app.add_option("WHAT", *what, fmt::format("one of {}", fmt::join(listings().names(), ", ")))
      ->required();
  app.add_option("--format", *format, "text or json")->capture_default_str();
  return [what, format] {
    const std::vector<Entry> found = listings().at(*what).entries();
    std::cout << (wants_json(*format) ? as_json(*what, found) : as_text(found)) << std::flush;
    return kGood;
  };
}

}  // namespace syncsim::cli
