#include "sim/topology/edits/nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/topology/boxes.h"
#include "sim/topology/edits/pattern.h"
#include "sim/topology/edits/target.h"
#include "sim/topology/id_range.h"

namespace syncsim {
namespace {

std::vector<NodeId> listed_nodes(const std::string& range, const Topology& topology) {
  if (range_size(range) > static_cast<std::int64_t>(topology.nodes().size()))
    throw InputError(fmt::format("{} stands for more nodes than the {} there are", in_quotes(range),
                                 topology.nodes().size()),
                     "write a smaller range, or * for all");
  std::vector<NodeId> nodes;
  for (const std::string& id : expand_range(range)) {
    const std::optional<NodeId> node = topology.find_node(id);
    if (!node) throw nothing_matches({EditTarget::Kind::node, id}, topology);
    nodes.push_back(*node);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace

std::vector<NodeId> selected_nodes(const std::string& pattern, const Topology& topology,
                                   std::optional<NodeKind> kind) {
  const bool is_pattern = pattern.find('*') != std::string::npos;
  if (!is_pattern && is_many(pattern)) return listed_nodes(pattern, topology);
  std::vector<NodeId> nodes;
  std::vector<std::string> ids;
  for (NodeId node = 0; node < topology.nodes().size(); ++node) {
    const Node& candidate = topology.nodes()[node];
    if (kind && candidate.kind != *kind) continue;
    if (matches(pattern, candidate.id)) nodes.push_back(node);
    if (kind) ids.push_back(candidate.id);
  }
  if (!nodes.empty()) return nodes;
  if (kind) throw unknown_name(to_string(*kind), pattern, ids);
  throw nothing_matches({EditTarget::Kind::node, pattern}, topology);
}

std::string parse_one_node(std::string_view text) {
  std::string id = parse_node_name(text);
  if (!is_many(id)) return id;
  throw InputError(in_quotes(id) + " stands for many nodes", R"(name one, as in "nic0")");
}

NodesInReach::NodesInReach(const std::string& pattern, const Topology& topology,
                           std::optional<NodeKind> kind)
    : topology_(topology), pattern_(pattern), things_(kind ? to_string(*kind) : "node") {
  if (is_many(pattern))
    all_ = selected_nodes(pattern, topology, kind);
  else
    all_ = {topology.node(pattern)};
  for (const NodeId node : all_) by_box_[box_name(topology.nodes()[node].id)].push_back(node);
}

NodeId NodesInReach::of(NodeId other, std::string_view example) const {
  if (all_.size() == 1) return all_.front();
  const std::string& id = topology_.nodes()[other].id;
  const auto own = by_box_.find(box_name(id));
  if (own != by_box_.end() && own->second.size() == 1) return own->second.front();
  throw InputError(
      fmt::format("{} stands for {} {}s in the box of {}", in_quotes(pattern_),
                  own == by_box_.end() ? std::size_t{0} : own->second.size(), things_, id),
      fmt::format(R"(name one of each box, as in "{}")", example));
}

}  // namespace syncsim
