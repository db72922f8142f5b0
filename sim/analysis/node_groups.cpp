#include "sim/analysis/node_groups.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace syncsim {
namespace {

// What stands before the `depth`th '/', with it; empty where there are fewer.
std::string_view prefix(std::string_view id, int depth) {
  std::size_t slash = 0;
  for (int i = 0; i < depth; ++i) {
    slash = id.find('/', i == 0 ? 0 : slash + 1);
    if (slash == std::string_view::npos) return {};
  }
  return id.substr(0, slash + 1);
}

NodeGroups by_prefix(const Topology& topology, int depth) {
  NodeGroups groups{depth == 1 ? "box" : "inner box", {}, 0};
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  for (const Node& node : topology.nodes()) {
    const std::string_view name = prefix(node.id, depth);
    const auto next = static_cast<std::uint32_t>(numbers.size());
    groups.of.push_back(name.empty() ? NodeGroups::kNoGroup
                                     : numbers.try_emplace(name, next).first->second);
  }
  groups.count = static_cast<std::uint32_t>(numbers.size());
  return groups;
}

// Joins boxes that touch the same first switch outside.
NodeGroups racks_of(const Topology& topology, const NodeGroups& boxes) {
  std::vector<NodeId> first(boxes.count, static_cast<NodeId>(topology.nodes().size()));
  for (const Link& link : topology.links()) {
    const std::uint32_t box = boxes.of[link.from];
    if (box == NodeGroups::kNoGroup || boxes.of[link.to] != NodeGroups::kNoGroup) continue;
    if (topology.nodes()[link.to].kind == NodeKind::switch_)
      first[box] = std::min(first[box], link.to);
  }
  std::unordered_map<NodeId, std::uint32_t> racks;
  NodeGroups result{"rack", std::vector(topology.nodes().size(), NodeGroups::kNoGroup), 0};
  for (NodeId node = 0; node < boxes.of.size(); ++node) {
    if (boxes.of[node] == NodeGroups::kNoGroup) continue;
    const auto next = static_cast<std::uint32_t>(racks.size());
    result.of[node] = racks.try_emplace(first[boxes.of[node]], next).first->second;
  }
  result.count = static_cast<std::uint32_t>(racks.size());
  // A rack's switch belongs to it if no other rack touches it.
  std::unordered_map<NodeId, bool> shared;
  for (const Link& link : topology.links()) {
    const auto rack = racks.find(link.to);
    if (rack != racks.end() && result.of[link.from] != NodeGroups::kNoGroup &&
        result.of[link.from] != rack->second)
      shared[link.to] = true;
  }
  for (const auto& [switch_node, rack] : racks)
    if (switch_node < result.of.size() && !shared.contains(switch_node))
      result.of[switch_node] = rack;
  return result;
}

NodeGroups halves_of(const NodeGroups& groups) {
  NodeGroups halves{"half", groups.of, 2};
  for (std::uint32_t& group : halves.of)
    if (group != NodeGroups::kNoGroup) group = group < groups.count / 2 ? 0 : 1;
  return halves;
}

}  // namespace

std::vector<NodeGroups> node_groups(const Topology& topology) {
  std::vector<NodeGroups> result;
  for (int depth = 1;; ++depth) {
    NodeGroups groups = by_prefix(topology, depth);
    if (groups.count == 0) break;
    if (groups.count > 1) result.push_back(std::move(groups));
  }
  if (!result.empty()) result.push_back(racks_of(topology, result.back()));
  for (std::size_t i = 0, plain = result.size(); i < plain; ++i)
    if (result[i].count > 2) result.push_back(halves_of(result[i]));
  return result;
}

}  // namespace syncsim
