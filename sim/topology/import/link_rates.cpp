#include "sim/topology/import/link_rates.h"

#include <fmt/format.h>

#include "sim/base/json_reader.h"
#include "sim/base/named_table.h"
#include "sim/topology/link_type.h"
#include "sim/topology/node_json.h"

namespace syncsim {
namespace {

std::map<std::string, Link, std::less<>> read_links(const JsonReader& json) {
  std::map<std::string, Link, std::less<>> links;
  for (const auto& [name, entry] : json.members()) {
    entry.allow({"type", "source"});
    entry.required("source", R"("where the figures come from")").string();
    links.emplace(name, read_link_type(entry.required("type", R"({"kind": "pcie", ...})")));
  }
  return links;
}

void read_limit(const JsonReader& json, std::string_view key, int& limit) {
  if (const auto value = json.optional(key))
    limit = static_cast<int>(value->integer(1, RateProfile::kNoLimit));
}

Node read_node(const JsonReader& json, std::string_view key, NodeKind kind) {
  Node node;
  node.kind = kind;
  const auto entry = json.optional(key);
  if (!entry) return node;
  entry->allow({"kind", "peer_cost", "transit_bandwidth", "reduce_bandwidth", "abilities"});
  node = read_node_figures(*entry);
  if (node.kind == kind) return node;
  throw entry->error(fmt::format("a {} stands for a {}", to_string(node.kind), to_string(kind)),
                     fmt::format(R"(write "kind": "{}")", to_string(kind)));
}

// What the importers take for granted.
void check_links(const JsonReader& links, const std::map<std::string, Link, std::less<>>& known) {
  for (const char* kind : {"pcie", "socket", "network"}) links.required(kind);
  for (const auto& [kind, link] : links.members()) {
    const auto row = known.find(link.string());
    if (row == known.end())
      throw link.error("there is no link \"" + link.string() + "\" in links.json", "add it there");
    if (to_string(row->second.kind) != kind)
      throw link.error(fmt::format("{} is of kind {}", row->first, to_string(row->second.kind)),
                       fmt::format("name one of kind {}", kind));
    if (kind == "pcie" && (row->second.lanes != 1 || row->second.generation == 0))
      throw link.error(fmt::format("{} is no lane of a PCIe generation", row->first),
                       fmt::format(R"(name one, as in "{}")", pcie_row(4)));
  }
}

std::map<std::string, double, std::less<>> read_peer_costs(const JsonReader& json) {
  std::map<std::string, double, std::less<>> costs;
  for (const auto& [vendor, entry] : json.members()) {
    entry.allow({"peer_cost", "source"});
    entry.required("source", R"("where the figure comes from")").string();
    costs.emplace(vendor, read_peer_cost(entry.required("peer_cost", "1.2")));
  }
  return costs;
}

RateProfile read_profile(const std::string& name, const JsonReader& json,
                         const std::map<std::string, Link, std::less<>>& known) {
  json.allow({"description", "source", "links", "nvlinks", "nvlink_peers", "nvlinks_per_peer",
              "cpu", "nvswitch"});
  RateProfile profile;
  profile.name = name;
  profile.description = json.required("description").string();
  const JsonReader links = json.required("links", R"({"nvlink": "nvlink3"})");
  links.allow({"nvlink", "pcie", "host", "socket", "network"});
  check_links(links, known);
  for (const auto& [kind, link] : links.members()) profile.links.emplace(kind, link.string());
  read_limit(json, "nvlinks", profile.nvlinks);
  read_limit(json, "nvlink_peers", profile.nvlink_peers);
  read_limit(json, "nvlinks_per_peer", profile.nvlinks_per_peer);
  profile.cpu = read_node(json, "cpu", NodeKind::cpu);
  profile.nvswitch = read_node(json, "nvswitch", NodeKind::switch_);
  return profile;
}

}  // namespace

LinkRates LinkRates::load(const std::string& directory) {
  LinkRates rates;
  rates.links_ = read_links(JsonFile::load(directory + "/links.json").root());
  const JsonReader profiles = JsonFile::load(directory + "/profiles.json").root();
  for (const auto& [name, profile] : profiles.members())
    rates.profiles_.push_back(read_profile(name, profile, rates.links_));
  rates.peer_costs_ = read_peer_costs(JsonFile::load(directory + "/cpus.json").root());
  return rates;
}

const Link& LinkRates::link(std::string_view name) const {
  const auto found = links_.find(name);
  if (found != links_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, link] : links_) names.push_back(known);
  throw unknown_name("link rate", name, names);
}

const RateProfile& LinkRates::profile(std::string_view name) const {
  std::vector<std::string> names;
  for (const RateProfile& profile : profiles_) {
    if (profile.name == name) return profile;
    names.push_back(profile.name);
  }
  throw unknown_name("profile", name, names);
}

Link LinkRates::link(const RateProfile& profile, const std::string& kind, int count) const {
  const auto name = profile.links.find(kind);
  if (name == profile.links.end())
    throw InputError(fmt::format("profile {} has no {} link", profile.name, kind),
                     "choose another with --profile");
  return lanes_of(link(name->second), count);
}

Link LinkRates::pcie(int generation, int width) const {
  return lanes_of(link(pcie_row(generation)), width);
}

int LinkRates::pcie_generation(const RateProfile& profile) const {
  return link(profile, "pcie", 1).generation;
}

double LinkRates::peer_cost(std::string_view cpu_vendor) const {
  const auto found = peer_costs_.find(cpu_vendor);
  return found == peer_costs_.end() ? 1 : found->second;
}

std::string pcie_row(int generation) { return fmt::format("pcie{}_x1", generation); }

}  // namespace syncsim
