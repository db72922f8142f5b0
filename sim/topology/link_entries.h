#pragma once
// The "link_types" and "links" of a topology file:
//   {"between": ["gpu[0-3]", "switch0"], "type": "x16", "count": 2}, {"all_pairs": "gpu[0-7]", ...}
// One node and a range make a star, two ranges of equal length pair up, `all_pairs` is a full mesh.
// Refused: ranges of other lengths, a node joined to itself, a pair joined twice by one kind.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

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
  const Link& link_type(const JsonReader& json) const;
  void join_ends(const JsonReader& between, const Link& link);
  void join_all(const Ids& ids, const Link& link);
  void check_room(const JsonReader& at, std::int64_t cables) const;
  void join(const JsonReader& at, NodeId from, NodeId to, const Link& link);

  const MachineSource& source_;
  const NodeIndex& nodes_;
  Topology::Parts& parts_;
  std::map<std::string, Link> types_;
  std::uint32_t entries_ = 0;                                // read so far
  std::unordered_map<std::uint64_t, std::uint32_t> joined_;  // entries_ at each cable
};

}  // namespace syncsim
