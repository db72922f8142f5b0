#include "sim/cli/listings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/cli/command.h"
#include "sim/exec/executor.h"
#include "sim/exec/real/real_executor.h"
#include "sim/report/formats.h"
#include "sim/scenario/predict/suspects.h"
#include "sim/scenario/select.h"
#include "sim/scenario/sweep_row.h"
#include "sim/scenario/verdicts/verdicts.h"
#include "sim/topology/export/exporter.h"
#include "sim/topology/import/importer.h"
#include "sim/topology/import/link_rates.h"
#include "sim/topology/kinds.h"
#include "sim/topology/topology_json.h"
#include "sim/workload/import/model_importer.h"
#include "sim/workload/model_shelf.h"

namespace syncsim::cli {
namespace {

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

std::vector<Entry> executor_entries() {
  std::vector<Entry> result = entries(executors());
  for (Entry& entry : entries(real_executors())) result.push_back(std::move(entry));
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

std::vector<Entry> model_entries() {
  const std::string shelf = find_data().models();
  std::vector<Entry> result;
  for (const std::string& name : model_names(shelf))
    result.push_back({name, load_model(name, shelf).description, {}});
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

// Calls act(use, table) for all that formats are of.
template <class Act>
void each_format_table(Act&& act) {
  act("report", report_formats());
  act("check", verdict_formats());
  act("sweep", sweep_formats());
  act("import", importers());
  act("model import", model_importers());
  act("export", exporters());
}

// A name may be a format of several things.
std::vector<Entry> format_entries() {
  std::map<std::string, std::string> uses;
  each_format_table([&](std::string_view use, const auto& table) {
    for (const auto& row : table.rows()) {
      std::string& text = uses[std::string(row.name)];
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", use, row.description);
    }
  });
  std::vector<Entry> result;
  for (const auto& [name, use] : uses) result.push_back({name, use, {}});
  return result;
}

}  // namespace

const NamedTable<Listing>& listings() {
  static const NamedTable<Listing> table(
      "list",
      {{"strategies", "what turns a collective into transfers, with parameters", strategy_entries},
       {"collectives", "what can be computed", [] { return entries(collectives()); }},
       {"topologies", "machines that come with the program", topology_entries},
       {"models", "models that come with the program", model_entries},
       {"kinds", "machines that a file can have generated",
        [] { return entries(topology_kinds()); }},
       {"executors", "what runs a schedule", executor_entries},
       {"profiles", "generations of link rates, for imports", profile_entries},
       {"suspects", "what predict tries where times are longer than the model's",
        [] { return entries(suspects()); }},
       {"formats", "how results are written, and texts are read", format_entries},
       {"datatypes", "of the elements", [] { return entries(datatypes()); }}});
  return table;
}

std::vector<Entry> listing_entries() { return entries(listings()); }

std::vector<std::string> listed_names(std::string_view listing) {
  if (listing == "topologies") return shelf_names(find_data().topologies);
  if (listing == "models") return model_names(find_data().models());
  std::vector<std::string> names;
  for (const Entry& entry : listings().at(listing).entries()) names.push_back(entry.name);
  return names;
}

std::vector<std::string> format_names(std::string_view use) {
  std::vector<std::string> names;
  each_format_table([&](std::string_view of, const auto& table) {
    if (of == use) names = table.names();
  });
  return names;
}

}  // namespace syncsim::cli
