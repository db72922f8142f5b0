#pragma once
// A machine's boxes: nodes whose ids share what stands before the last '/', such as "node3/", are
// one box; ids without a '/' are one too. Boxes are numbered in the order of their first nodes, and
// the nodes of one kind in a box in the order of the file.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

struct Place {
  std::uint32_t box = 0;
  std::uint32_t number = 0;  // among the box's nodes of its kind
  std::uint32_t gpus = 0;    // in the box
  std::uint32_t nics = 0;
};

// The nics of every box, by number.
class BoxNics {
 public:
  explicit BoxNics(const Topology& topology);
  // How many the box of a node has.
  int count(NodeId node) const { return static_cast<int>(of_box(node).size()); }
  NodeId at(NodeId node, int number) const {
    return of_box(node)[static_cast<std::size_t>(number)];
  }

 private:
  const std::vector<NodeId>& of_box(NodeId node) const { return nics_[places_[node].box]; }

  std::vector<Place> places_;              // by node
  std::vector<std::vector<NodeId>> nics_;  // by box
};

std::string_view box_name(std::string_view id);  // "pod0/node3/" of "pod0/node3/gpu1"; may be empty
std::vector<Place> places_of(const Topology& topology);  // by node

// The CPUs of a machine, by what speaks for them as nodes that add up for the ranks; each list in
// the order of the file.
struct AddingCpus {
  std::vector<NodeId> spare;   // the first of every box without ranks
  std::vector<NodeId> own;     // the first of every box with ranks
  std::vector<NodeId> others;  // further ones
};
AddingCpus adding_cpus(const Topology& topology, std::span<const NodeId> ranks);

// Ranks whose nodes have the same key, such as their box; in the order of the groups' first ranks.
template <class Rank = int, class KeyOf>
std::vector<std::vector<Rank>> ranks_by(std::span<const NodeId> ranks, KeyOf&& key_of) {
  std::map<std::uint32_t, std::size_t> known;
  std::vector<std::vector<Rank>> groups;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto [group, added] = known.try_emplace(key_of(ranks[rank]), groups.size());
    if (added) groups.emplace_back();
    groups[group->second].push_back(static_cast<Rank>(rank));
  }
  return groups;
}

}  // namespace syncsim
