#pragma once
// The nodes that an edit is of. An id with '*' is a pattern: those that match. Without, it is an id
// or a range of ids ("gpu[1-7]"), and each must exist.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

// At least one, in order of the file; a pattern's are those of the kind. Throws InputError with
// did-you-mean.
std::vector<NodeId> selected_nodes(const std::string& pattern, const Topology& topology,
                                   std::optional<NodeKind> kind = std::nullopt);

// "nic0" or "node:nic0" -> "nic0", of one node.
std::string parse_one_node(std::string_view text);

// A node (of a kind) for each of others: the one that is called so; where several are, the one in
// the other's own box (boxes.h).
class NodesInReach {
 public:
  NodesInReach(const std::string& pattern, const Topology& topology,
               std::optional<NodeKind> kind = std::nullopt);

  // Throws InputError when its box has none of them, or several; the example has both patterns.
  NodeId of(NodeId other, std::string_view example) const;

 private:
  const Topology& topology_;
  std::string pattern_;
  std::string_view things_;
  std::vector<NodeId> all_;
  std::unordered_map<std::string_view, std::vector<NodeId>> by_box_;
};

}  // namespace syncsim
