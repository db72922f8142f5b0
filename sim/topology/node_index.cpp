#include "sim/topology/node_index.h"

#include <fmt/format.h>

#include "sim/base/named_table.h"
#include "sim/topology/id_range.h"

namespace syncsim {

Ids::Ids(const JsonReader& json)
    : at(json), text(json.string()), size(json.located([&] { return range_size(text); })) {}

void NodeIndex::add_new(const JsonReader& at, std::string_view right) {
  numbers_.reserve(nodes_.size());
  for (std::size_t node = numbers_.size(); node < nodes_.size(); ++node)
    if (!numbers_.emplace(nodes_[node].id, static_cast<NodeId>(node)).second)
      throw at.error(fmt::format(R"(node id "{}" appears twice)", nodes_[node].id),
                     std::string(right));
}

NodeId NodeIndex::find(const std::string& id) const {
  const auto found = numbers_.find(id);
  if (found != numbers_.end()) return found->second;
  std::vector<std::string> ids;
  for (const Node& node : nodes_) ids.push_back(node.id);
  throw unknown_name("node", id, ids);
}

std::vector<NodeId> NodeIndex::find(const Ids& ids) const {
  std::vector<NodeId> nodes;
  nodes.reserve(static_cast<std::size_t>(ids.size));
  for (const std::string& id : expand_range(ids.text))
    nodes.push_back(ids.at.located([&] { return find(id); }));
  return nodes;
}

}  // namespace syncsim
