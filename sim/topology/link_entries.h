#pragma once
// The "link_types" and "links" of a topology file:
//   {"between": ["gpu[0-3]", "switch0"], "type": "x16", "count": 2}, {"all_pairs": "gpu[0-7]", ...}
// One node and a range make a star, two ranges of equal length pair up, `all_pairs` is a full mesh.
// Refused: ranges of other lengths, a node joined to itself, a pair joined twice by one kind.

#include <cstdint>
#include <unordered_map>

#include "sim/topology/cable_json.h"
#include "sim/topology/machine_source.h"
#include "sim/topology/node_index.h"

namespace syncsim {

class LinkEntries {
 public:
  // Keeps references; `nodes` and `parts.nodes` are complete.
  LinkEntries(const MachineSource& source, const NodeIndex& nodes, Topology::Parts& parts)
      : source_(source), nodes_(nodes), parts_(parts) {}

  void read_types(const JsonReader& json);
  void read(const JsonReader& entry);

 private:
  void join_ends(const JsonReader& between, const Cable& cable);
  void join_all(const Ids& ids, const Cable& cable);
  void check_room(const JsonReader& at, std::int64_t cables) const;
  void join(const JsonReader& at, NodeId from, NodeId to, const Cable& cable);

  const MachineSource& source_;
  const NodeIndex& nodes_;
  Topology::Parts& parts_;
  LinkTypes types_;
  std::uint32_t entries_ = 0;                                // read so far
  std::unordered_map<std::uint64_t, std::uint32_t> joined_;  // entries_ at each cable
};

}  // namespace syncsim
