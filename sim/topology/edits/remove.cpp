// Cables and nodes that go. A node takes its links and its rank along.

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "sim/base/quote.h"
#include "sim/topology/edits/nodes.h"
#include "sim/topology/edits/target.h"
#include "sim/topology/edits/verbs.h"

namespace syncsim {
namespace {

Topology::Parts remove_links(const EditTarget& target, const Topology& topology) {
  std::vector<bool> removed(topology.links().size());
  for (const LinkId link : selected_links(target, topology)) removed[link] = true;
  Topology::Parts parts = topology.parts();
  parts.links.clear();
  for (LinkId link = 0; link < topology.links().size(); ++link)
    if (!removed[link]) parts.links.push_back(topology.links()[link]);
  return parts;
}

// The nodes that stay, in order, with their new numbers.
class Survivors {
 public:
  Survivors(const EditTarget& target, const Topology& topology) {
    std::vector<bool> removed(topology.nodes().size());
    for (const NodeId node : selected_nodes(target.pattern, topology)) removed[node] = true;
    for (NodeId node = 0; node < removed.size(); ++node) {
      const bool stays = !removed[node];
      numbers_.push_back(stays ? std::optional(static_cast<NodeId>(nodes_.size())) : std::nullopt);
      if (stays) nodes_.push_back(topology.nodes()[node]);
    }
  }

  const std::vector<Node>& nodes() const { return nodes_; }
  std::optional<NodeId> number(NodeId before) const { return numbers_[before]; }

 private:
  std::vector<Node> nodes_;
  std::vector<std::optional<NodeId>> numbers_;
};

Topology::Parts remove_nodes(const EditTarget& target, const Topology& topology) {
  const Survivors survivors(target, topology);
  Topology::Parts parts = topology.parts();
  parts.nodes = survivors.nodes();
  parts.links.clear();
  for (Link link : topology.links()) {
    const auto from = survivors.number(link.from);
    const auto to = survivors.number(link.to);
    if (!from || !to) continue;
    link.from = *from;
    link.to = *to;
    parts.links.push_back(std::move(link));
  }
  parts.ranks.clear();
  for (const NodeId rank : topology.ranks())
    if (const auto number = survivors.number(rank)) parts.ranks.push_back(*number);
  if (parts.ranks.empty()) throw InputError("no ranks are left", "keep at least one rank");
  parts.routing.nics.clear();
  for (const auto& [gpu, nic] : topology.routing().nics)
    if (survivors.number(gpu) && survivors.number(nic))
      parts.routing.nics.emplace_back(*survivors.number(gpu), *survivors.number(nic));
  return parts;
}

EditTarget parse_removed(std::string_view text) {
  EditTarget target = parse_target(text);
  if (!is_direction(target)) return target;
  throw InputError(in_quotes(target.pattern) + " is one direction, and cables are removed whole",
                   R"(name the cable, as in "remove link:a-b")");
}

}  // namespace

MachineChange understand_removal(const EditPhrase& phrase) {
  return [target = phrase.subject.read(parse_removed)](const Topology& topology) {
    return target.kind == EditTarget::Kind::node ? remove_nodes(target, topology)
                                                 : remove_links(target, topology);
  };
}

}  // namespace syncsim
