#include "sim/topology/edits/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/topology/edits/pattern.h"

namespace syncsim {
namespace {

using Kind = EditTarget::Kind;

Kind parse_target_kind(std::string_view text) {
  if (text == "link") return Kind::link;
  if (text == "node") return Kind::node;
  if (text == "kind") return Kind::kind;
  throw unknown_name("edit target", text, {"link", "node", "kind"});
}

std::string with_dash(std::string name) {
  name[name.find('>')] = '-';
  return name;
}

bool selects(const EditTarget& target, const Topology& topology, LinkId link) {
  const std::vector<Link>& links = topology.links();
  if (target.kind == Kind::kind) return matches(target.pattern, to_string(links[link].kind));
  if (is_direction(target)) return matches(target.pattern, links[link].name);
  return matches(target.pattern, with_dash(links[link].name)) ||
         matches(target.pattern, with_dash(links[link ^ 1].name));
}

std::vector<std::string> link_names(const EditTarget& target, const Topology& topology) {
  std::vector<std::string> names;
  for (LinkId link = 0; link < topology.links().size(); ++link)
    if (is_direction(target))
      names.push_back(topology.links()[link].name);
    else if (link % 2 == 0)
      names.push_back(topology.cable_name(link));
  return names;
}

std::vector<std::string> kind_names(const Topology& topology) {
  std::set<std::string> names;
  for (const Link& link : topology.links()) names.emplace(to_string(link.kind));
  return {names.begin(), names.end()};
}

std::vector<std::string> node_ids(const Topology& topology) {
  std::vector<std::string> ids;
  for (const Node& node : topology.nodes()) ids.push_back(node.id);
  return ids;
}

// Two nodes joined by several kinds of cable: their names say which, and the pattern does not.
std::string with_kind(const std::string& pattern, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (name.starts_with(pattern + "@")) return fmt::format(R"(did you mean "{}"?)", name);
  return "";
}

InputError several_cables(const std::string& of, const std::vector<LinkId>& cables,
                          const Topology& topology, const std::string& right) {
  constexpr std::size_t kMostNamed = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(cables.size(), kMostNamed); ++i)
    names += (i == 0 ? "" : ", ") + cable_from(cables[i], topology);
  if (cables.size() > kMostNamed) names += ", ...";
  return {fmt::format("{} stands for {} cables, {}", of, cables.size(), names), right};
}

LinkId only_mooring(NodeId node, const std::vector<LinkId>& candidates, const Topology& topology) {
  const std::string& id = topology.nodes()[node].id;
  if (candidates.empty())
    throw InputError(fmt::format("{} has no cable to move", id),
                     R"(join it, as in "add link:a-b like link:c-d")");
  if (candidates.size() == 1) return candidates.front();
  throw several_cables(id, candidates, topology,
                       fmt::format(R"(name the cable, as in "move link:{} ...", whose first end )"
                                   "stays",
                                   cable_from(candidates.front(), topology)));
}

}  // namespace

EditTarget parse_target(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon + 1 == text.size())
    throw InputError(in_quotes(text) + " is no target of an edit",
                     R"(write "link:a-b", "node:nic0" or "kind:nvlink")");
  check_ranges(text.substr(colon + 1));
  return {parse_target_kind(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

EditTarget parse_link_target(std::string_view text) {
  EditTarget target = parse_target(text);
  if (target.kind != Kind::node) return target;
  throw InputError(
      "a node has no bandwidth or latency to change",
      fmt::format("name its links, as in {}", in_quotes(fmt::format("link:{}-*", target.pattern))));
}

std::string parse_cable(std::string_view text) {
  const EditTarget target = parse_target(text);
  if (target.kind != Kind::link)
    throw InputError(in_quotes(text) + " is no cable", R"(write "link:a-b")");
  if (is_direction(target))
    throw InputError(in_quotes(target.pattern) + " is one direction of a cable",
                     R"(name the cable, as in "link:a-b")");
  return target.pattern;
}

std::string parse_node_name(std::string_view text) {
  if (text.find(':') == std::string_view::npos) {
    check_ranges(text);
    return std::string(text);
  }
  const EditTarget target = parse_target(text);
  if (target.kind == Kind::node) return target.pattern;
  throw InputError(in_quotes(text) + " is no node", R"(write its id, as in "nic0")");
}

bool is_direction(const EditTarget& target) {
  return target.kind == Kind::link && target.pattern.find('>') != std::string::npos;
}

std::vector<LinkId> selected_links(const EditTarget& target, const Topology& topology) {
  std::vector<LinkId> result;
  for (LinkId link = 0; link < topology.links().size(); ++link)
    if (selects(target, topology, link)) result.push_back(link);
  if (result.empty()) throw nothing_matches(target, topology);
  return result;
}

std::vector<LinkId> selected_cables(std::string_view name, const Topology& topology) {
  const EditTarget target{Kind::link, std::string(name)};
  std::vector<LinkId> forward;
  for (const LinkId link : selected_links(target, topology)) {
    const bool is_way_back = !forward.empty() && forward.back() == (link ^ 1);
    if (!is_way_back && matches(name, cable_from(link, topology))) forward.push_back(link);
  }
  return forward;
}

LinkId selected_cable(std::string_view name, const Topology& topology) {
  const std::vector<LinkId> forward = selected_cables(name, topology);
  if (forward.size() == 1) return forward.front();
  throw several_cables(in_quotes(name), forward, topology, "name one cable");
}

InputError nothing_matches(const EditTarget& target, const Topology& topology) {
  const std::string& pattern = target.pattern;
  if (target.kind == Kind::node)
    return {"no node is called " + in_quotes(pattern),
            unknown_name("node", pattern, node_ids(topology)).right()};
  if (target.kind == Kind::kind)
    return {"no link is of kind " + in_quotes(pattern),
            unknown_name("kind", pattern, kind_names(topology)).right()};
  const std::vector<std::string> names = link_names(target, topology);
  const std::string guess = with_kind(pattern, names);
  return {"no link is called " + in_quotes(pattern),
          guess.empty() ? unknown_name("link", pattern, names).right() : guess};
}

std::vector<LinkId> moorings(const std::vector<NodeId>& nodes, const Topology& topology) {
  struct Cables {
    std::vector<LinkId> all;
    std::vector<LinkId> pcie;
  };
  std::unordered_map<NodeId, Cables> cables;
  for (const NodeId node : nodes) cables.try_emplace(node);
  for (LinkId link = 0; link < topology.links().size(); ++link) {
    const auto found = cables.find(topology.links()[link].from);
    if (found == cables.end()) continue;
    found->second.all.push_back(link);
    if (topology.links()[link].kind == LinkKind::pcie) found->second.pcie.push_back(link);
  }
  std::vector<LinkId> result;
  for (const NodeId node : nodes) {
    const auto& [all, pcie] = cables.at(node);
    result.push_back(only_mooring(node, pcie.empty() ? all : pcie, topology));
  }
  return result;
}

void require_plug(const Link& cable, NodeId to, const Topology& topology) {
  const auto is_device = [&](NodeId node) {
    const NodeKind kind = topology.nodes()[node].kind;
    return kind == NodeKind::gpu || kind == NodeKind::nic;
  };
  if (cable.kind != LinkKind::pcie || cable.from == to) return;
  if (!is_device(cable.from) || !is_device(to)) return;
  const Node& far = topology.nodes()[to];
  throw InputError(fmt::format("the PCIe cable of {} cannot be plugged into {}, a {}",
                               topology.nodes()[cable.from].id, far.id, to_string(far.kind)),
                   "plug it into a switch or a cpu");
}

std::string cable_from(LinkId link, const Topology& topology) {
  return with_dash(topology.links()[link].name);
}

void require_unjoined(const Topology::Parts& parts, NodeId a, NodeId b, LinkKind kind) {
  for (const Link& link : parts.links)
    if (link.from == a && link.to == b && link.kind == kind)
      throw joined_already(parts.nodes[a].id, parts.nodes[b].id, kind);
}

InputError joined_already(const std::string& a, const std::string& b, LinkKind kind) {
  return {fmt::format("{} and {} are joined by {} already", a, b, to_string(kind)),
          R"(give that cable a greater "count")"};
}

}  // namespace syncsim
