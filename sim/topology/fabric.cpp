#include "sim/topology/fabric.h"

#include <algorithm>
#include <limits>

#include "sim/topology/islands.h"

namespace syncsim {
namespace {

constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();
constexpr NodeId kSeveral = kNoNode - 1;

// One more thing of which none, one or several were seen.
void see(NodeId& seen, NodeId thing) {
  if (seen == kNoNode)
    seen = thing;
  else if (seen != thing)
    seen = kSeveral;
}

}  // namespace

std::vector<NodeId> machines_of(const Topology& topology) {
  return islands_of(topology, [](const Link& link) { return link.kind != LinkKind::network; });
}

LinksOut::LinksOut(const Topology& topology) : begin_(topology.nodes().size() + 1) {
  for (const Link& link : topology.links()) ++begin_[link.from + 1];
  for (std::size_t node = 1; node < begin_.size(); ++node) begin_[node] += begin_[node - 1];
  links_.resize(topology.links().size());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (LinkId link = 0; link < links_.size(); ++link)
    links_[next[topology.links()[link].from]++] = link;
}

Fabric::Fabric(const Topology& topology, const LinksOut& links)
    : topology_(topology), links_(links) {
  find_boxes();
  sort_links();
  find_ports();
  find_least_passage();
}

bool Fabric::is_network(LinkId link) const {
  return topology_.links()[link].kind == LinkKind::network;
}

void Fabric::find_boxes() {
  const auto nodes = static_cast<NodeId>(topology_.nodes().size());
  in_box_.resize(nodes);
  for (NodeId node = 0; node < nodes; ++node) in_box_[node] = !topology_.nodes()[node].forwards;
  for (LinkId link = 0; link < topology_.links().size(); ++link)
    if (!is_network(link)) in_box_[target(link)] = true;
  box_ = machines_of(topology_);
}

void Fabric::sort_links() {
  begin_within_.push_back(0);
  begin_entries_.push_back(0);
  for (NodeId node = 0; node < box_.size(); ++node) {
    for (const LinkId link : links_.of(node)) {
      const NodeId far = target(link);
      if (in_box_[node])
        boxes_touch_ = boxes_touch_ || (in_box_[far] && box_[far] != box_[node]);
      else if (in_box_[far])
        entries_.push_back({box_[far], link});
      else
        within_.push_back(link);
    }
    std::sort(entries_.begin() + static_cast<std::ptrdiff_t>(begin_entries_.back()),
              entries_.end());
    begin_within_.push_back(within_.size());
    begin_entries_.push_back(entries_.size());
  }
}

std::span<const Fabric::Entry> Fabric::entries(NodeId node, NodeId box) const {
  const auto all = std::span(entries_).subspan(begin_entries_[node],
                                               begin_entries_[node + 1] - begin_entries_[node]);
  const auto begin = std::lower_bound(all.begin(), all.end(), Entry{box, 0});
  const auto end = std::upper_bound(begin, all.end(), Entry{box, kNoNode});
  return {begin, end};
}

// Breadth-first from all ports at once. The fabric is its own port.
void Fabric::find_ports() {
  constexpr int kFar = std::numeric_limits<int>::max() / 4;
  to_port_.assign(box_.size(), kFar);
  std::vector<NodeId> found;
  const auto reach = [&](NodeId node, int hops) {
    if (to_port_[node] != kFar) return;
    to_port_[node] = hops;
    found.push_back(node);
  };
  for (NodeId node = 0; node < box_.size(); ++node)
    if (!in_box_[node]) reach(node, 0);
  for (LinkId link = 0; link < topology_.links().size(); ++link)
    if (is_network(link)) reach(target(link), 0);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const LinkId link : links_.of(found[i]))
      if (!is_network(link)) reach(target(link), to_port_[found[i]] + 1);
}

// From one neighbour of a box to another: over one port, over two that are joined, or over two
// that are farther apart, which takes two hops at least.
void Fabric::find_least_passage() {
  std::vector<NodeId> beyond_port(box_.size(), kNoNode);
  std::vector<NodeId> beyond_box(box_.size(), kNoNode);
  for (LinkId link = 0; link < topology_.links().size(); ++link) {
    const NodeId port = topology_.links()[link].from;
    if (!is_network(link) || !in_box_[port] || !topology_.nodes()[port].forwards) continue;
    see(beyond_port[port], target(link));
    see(beyond_box[box_[port]], target(link));
  }
  const auto allow = [&](int hops) { least_passage_ = std::min(least_passage_.value_or(2), hops); };
  for (NodeId node = 0; node < box_.size(); ++node) {
    if (beyond_box[box_[node]] != kSeveral || beyond_port[node] == kNoNode) continue;
    allow(beyond_port[node] == kSeveral ? 0 : 2);
    for (const LinkId link : links_.of(node))
      if (!is_network(link) && beyond_port[target(link)] != kNoNode) allow(1);
  }
}

std::optional<int> Fabric::least_detour(NodeId from, NodeId to) const {
  if (!least_passage_) return std::nullopt;
  // Out of one's own box and into the other; where boxes touch, these are the ways into and out of
  // the third one.
  const auto out = [&](NodeId node) {
    return to_port_[node] + (in_box_[node] && !boxes_touch_ ? 1 : 0);
  };
  return out(from) + 1 + *least_passage_ + 1 + out(to);
}

}  // namespace syncsim
