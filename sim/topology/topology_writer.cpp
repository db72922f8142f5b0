#include "sim/topology/topology_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/topology/cable_entries.h"
#include "sim/topology/id_pattern.h"
#include "sim/topology/id_range.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& text) {
  return Json(one_line(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// On one line, with blanks as people write them.
std::string on_one_line(const Json& json) {
  std::vector<std::string> items;
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      items.push_back(quoted(key) + ": " + on_one_line(value));
    return fmt::format("{{{}}}", fmt::join(items, ", "));
  }
  if (json.is_array()) {
    for (const Json& value : json) items.push_back(on_one_line(value));
    return fmt::format("[{}]", fmt::join(items, ", "));
  }
  return json.is_string() ? quoted(json.get<std::string>()) : json.dump();
}

// A rate that the reader accepts. Networks are spoken of in bits where that is as short.
std::string rate_text(Bandwidth rate, LinkKind kind, const std::string& place) {
  const std::string bytes = to_exact_string(rate);
  placed([&] { return place; }, [&] { parse_bandwidth(bytes); });
  constexpr double kLeast = 1e9;  // bytes per second
  if (kind != LinkKind::network || rate.bytes_per_second < kLeast) return bytes;
  const std::string bits = to_exact_bits(rate);
  return bits.find(' ') <= bytes.find(' ') ? bits : bytes;
}

std::string rate_text(Bandwidth rate, const std::string& place) {
  return rate_text(rate, LinkKind::pcie, place);
}

Json type_json(const Link& figures) {
  Json json = {{"kind", to_string(figures.kind)},
               {"bandwidth", rate_text(figures.bandwidth, figures.kind, figures.name)}};
  if (figures.usable != figures.bandwidth)
    json["usable"] = rate_text(figures.usable, figures.kind, figures.name);
  if (figures.latency.ps > 0) json["latency"] = to_exact_string(figures.latency);
  if (figures.overhead.ps > 0) json["overhead"] = to_exact_string(figures.overhead);
  if (figures.half_duplex) json["duplex"] = "half";
  const Spread usual = figures.kind == LinkKind::nvlink ? Spread::stripe : Spread::per_channel;
  if (figures.spread != usual)
    json["spread"] = figures.spread == Spread::stripe ? "stripe" : "per_channel";
  if (figures.lanes > 0) json["lanes"] = figures.lanes;
  if (figures.generation > 0) json["generation"] = figures.generation;
  return json;
}

Json entry_json(const CableEntry& entry, const std::vector<CableEntries::Type>& types) {
  const CableTerms& terms = entry.terms;
  Json json;
  if (entry.is_mesh)
    json["all_pairs"] = entry.left.text();
  else
    json["between"] = {entry.left.text(), entry.right.text()};
  json["type"] = types[terms.type].name;
  if (terms.back != terms.type) json["back"] = types[terms.back].name;
  if (terms.count > 1) json[terms.is_bundle ? "bundle" : "count"] = terms.count;
  if (terms.form) json["kind_in_name"] = *terms.form == NameForm::with_kind;
  return json;
}

void check_id(const std::string& id) {
  if (id.size() > kLongestId || id.find_first_of("[]") != std::string::npos || has_control(id))
    throw InputError(fmt::format("node id {} cannot be written in a topology file", in_quotes(id)),
                     fmt::format("use at most {} characters, no brackets and no control characters",
                                 kLongestId));
}

bool same_figures(const Node& a, const Node& b) {
  return a.kind == b.kind && a.forwards == b.forwards &&
         a.transit_bandwidth == b.transit_bandwidth && a.reduce_bandwidth == b.reduce_bandwidth &&
         a.peer_cost == b.peer_cost && a.abilities == b.abilities &&
         a.architecture == b.architecture;
}

Json node_json(std::string ids, const Node& node) {
  Json json = {{"id", std::move(ids)}, {"kind", to_string(node.kind)}};
  if (node.forwards != (node.kind != NodeKind::gpu)) json["forwards"] = node.forwards;
  if (node.transit_bandwidth)
    json["transit_bandwidth"] = rate_text(*node.transit_bandwidth, node.id);
  if (node.reduce_bandwidth) json["reduce_bandwidth"] = rate_text(*node.reduce_bandwidth, node.id);
  if (node.peer_cost != 1) json["peer_cost"] = node.peer_cost;
  if (node.abilities.reduce) json["abilities"].push_back("reduce");
  if (node.abilities.multicast) json["abilities"].push_back("multicast");
  if (node.architecture) json["architecture"] = to_string(node.architecture);
  return json;
}

std::vector<std::string> node_lines(const Topology& topology) {
  const std::vector<Node>& nodes = topology.nodes();
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < nodes.size();) {
    std::vector<std::string_view> ids;
    for (std::size_t i = begin; i < nodes.size() && same_figures(nodes[begin], nodes[i]); ++i) {
      check_id(nodes[i].id);
      ids.push_back(nodes[i].id);
    }
    for (std::string& text : compressed(ids))
      lines.push_back(on_one_line(node_json(std::move(text), nodes[begin])));
    begin += ids.size();
  }
  return lines;
}

std::vector<std::string> type_lines(const CableEntries& cables) {
  std::vector<std::string> lines;
  for (const CableEntries::Type& type : cables.types)
    lines.push_back(quoted(type.name) + ": " + on_one_line(type_json(type.figures)));
  return lines;
}

std::vector<std::string> link_lines(const CableEntries& cables) {
  std::vector<std::string> lines;
  for (const CableEntry& entry : cables.entries)
    lines.push_back(on_one_line(entry_json(entry, cables.types)));
  return lines;
}

// Empty when they are the gpus in order.
Json ranks_json(const Topology& topology) {
  if (topology.ranks() == topology.nodes_of_kind(NodeKind::gpu)) return {};
  std::vector<std::string_view> ids;
  for (const NodeId rank : topology.ranks()) ids.push_back(topology.nodes()[rank].id);
  return compressed(ids);
}

Json routing_json(const Topology& topology) {
  const RoutingPolicy& routing = topology.routing();
  const RoutingPolicy usual;
  Json json;
  if (routing.p2p != usual.p2p) json["p2p"] = to_string(routing.p2p);
  if (routing.acs != usual.acs) json["acs"] = routing.acs;
  if (routing.gdr != usual.gdr) json["gdr"] = routing.gdr;
  if (routing.nvb) json["relays"].push_back("nvb");
  if (routing.pxn) json["relays"].push_back("pxn");
  if (routing.nics.empty()) return json;
  // Not through operator[] of ordered_json, which looks at all members before.
  auto& nics = (json["nics"] = Json::object()).get_ref<Json::object_t&>();
  for (const auto& [gpu, nic] : routing.nics)
    nics.push_back({topology.nodes()[gpu].id, topology.nodes()[nic].id});
  return json;
}

std::string block(std::string_view key, char open, const std::vector<std::string>& lines,
                  char close) {
  return fmt::format("\"{}\": {}\n    {}\n  {}", key, open, fmt::join(lines, ",\n    "), close);
}

}  // namespace

std::string topology_json(const Topology& topology) {
  const CableEntries cables = cable_entries(topology);
  std::vector<std::string> members;
  const auto add = [&](std::string_view key, const std::string& value) {
    members.push_back(fmt::format("\"{}\": {}", key, value));
  };
  add("name", quoted(topology.name().empty() ? "machine" : topology.name()));
  if (!topology.description().empty()) add("description", quoted(topology.description()));
  if (!topology.source().empty()) add("source", quoted(topology.source()));
  if (!cables.types.empty()) members.push_back(block("link_types", '{', type_lines(cables), '}'));
  members.push_back(block("nodes", '[', node_lines(topology), ']'));
  if (!cables.entries.empty()) members.push_back(block("links", '[', link_lines(cables), ']'));
  if (const Json ranks = ranks_json(topology); !ranks.empty()) add("ranks", on_one_line(ranks));
  if (const Json routing = routing_json(topology); !routing.empty())
    add("routing", on_one_line(routing));
  return fmt::format("{{\n  {}\n}}\n", fmt::join(members, ",\n  "));
}

std::string topology_json(const Topology::Parts& parts) { return topology_json(Topology(parts)); }

}  // namespace syncsim
