#pragma once
// Nodes by their ids, while a machine is being read.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/topology/topology.h"

namespace syncsim {

// Text that stands for one or more ids, see id_range.h.
struct Ids {
  explicit Ids(const JsonReader& json);

  JsonReader at;
  std::string text;
  std::int64_t size;
};

class NodeIndex {
 public:
  // Keeps a reference.
  explicit NodeIndex(const std::vector<Node>& nodes) : nodes_(nodes) {}

  // Takes in the nodes that were appended; refuses at `at` one whose id another has.
  void add_new(const JsonReader& at, std::string_view right);
  // Throw unknown_name; with ids that are written somewhere, there.
  NodeId find(const std::string& id) const;
  std::vector<NodeId> find(const Ids& ids) const;
  NodeKind kind(NodeId node) const { return nodes_[node].kind; }

 private:
  const std::vector<Node>& nodes_;
  std::unordered_map<std::string, NodeId> numbers_;
};

}  // namespace syncsim
