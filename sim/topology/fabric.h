#pragma once
// A cluster as boxes and the fabric between them, for searches that need not look into every box.
//
// A box is what links better than `network` join; or a node by itself that does not forward. All
// other nodes are fabric. Links of kind network lead from a box to the fabric, within the fabric,
// or from box to box.
// Paths from one box to another hardly ever lead through a third: they would enter it and leave it
// by another port. least_detour() is a bound on what that takes: shorter paths are found by
// looking at the fabric and the two boxes only.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

// By node, a node that stands for its machine: for all that other links than the network's join.
std::vector<NodeId> machines_of(const Topology& topology);

// The links out of every node, in their order; those into it are their ways back (link ^ 1).
class LinksOut {
 public:
  explicit LinksOut(const Topology& topology);
  std::span<const LinkId> of(NodeId node) const {
    return std::span(links_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }

 private:
  std::vector<LinkId> links_;
  std::vector<std::size_t> begin_;  // by node, and the end
};

class Fabric {
 public:
  // Keeps references.
  Fabric(const Topology& topology, const LinksOut& links);

  // Calls `look(link)` for the links out of a node, but those into boxes other than these ends'.
  template <class Look>
  void look_around(NodeId node, NodeId end, NodeId other_end, const Look& look) const;
  // How many that are, without those from the fabric into the ends' boxes.
  std::size_t links_around(NodeId node) const {
    return in_box_[node] ? links_.of(node).size() : begin_within_[node + 1] - begin_within_[node];
  }
  // The least hops of a path that passes a third box; nothing where none can be passed.
  std::optional<int> least_detour(NodeId from, NodeId to) const;

 private:
  struct Entry {
    NodeId box = 0;
    LinkId link = 0;
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  void find_boxes();
  void sort_links();
  void find_ports();
  void find_least_passage();
  bool is_network(LinkId link) const;
  NodeId target(LinkId link) const { return topology_.links()[link].to; }
  std::span<const Entry> entries(NodeId node, NodeId box) const;

  const Topology& topology_;
  const LinksOut& links_;
  std::vector<NodeId> box_;  // by node; of fabric, itself
  std::vector<char> in_box_;
  std::vector<LinkId> within_;              // from fabric to fabric
  std::vector<std::size_t> begin_within_;   // by node
  std::vector<Entry> entries_;              // from fabric into boxes, by box
  std::vector<std::size_t> begin_entries_;  // by node
  std::vector<int> to_port_;                // hops to the nearest node with a network link
  bool boxes_touch_ = false;                // some are joined without fabric between
  std::optional<int> least_passage_;        // hops within a box, from port to port
};

template <class Look>
void Fabric::look_around(NodeId node, NodeId end, NodeId other_end, const Look& look) const {
  if (in_box_[node]) {
    for (const LinkId link : links_.of(node)) {
      const NodeId far = target(link);
      if (!in_box_[far] || box_[far] == box_[end] || box_[far] == box_[other_end]) look(link);
    }
    return;
  }
  for (std::size_t i = begin_within_[node]; i < begin_within_[node + 1]; ++i) look(within_[i]);
  for (const Entry& entry : entries(node, box_[end])) look(entry.link);
  if (box_[end] != box_[other_end])
    for (const Entry& entry : entries(node, box_[other_end])) look(entry.link);
}

}  // namespace syncsim
