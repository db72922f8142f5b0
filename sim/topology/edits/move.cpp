// Cables whose far ends are plugged in elsewhere: "move nic0 plx1" (the node's PCIe cable, or its
// only one), "move link:nic0-plx0 plx1" (the end that is named first stays). All else stays. Of
// many, each goes to the one node of that name, or to the one in its own box:
// "move node*/nic0 node*/plx1".

#include <fmt/format.h>

#include <set>
#include <tuple>
#include <utility>

#include "sim/topology/edits/nodes.h"
#include "sim/topology/edits/pattern.h"
#include "sim/topology/edits/target.h"
#include "sim/topology/edits/verbs.h"

namespace syncsim {
namespace {

// Away from the end that stays.
struct Move {
  LinkId link;
  NodeId to;
};

std::vector<Move> moves_of(const std::vector<LinkId>& links, const std::string& to,
                           const Topology& topology) {
  const NodesInReach places(to, topology);
  std::vector<Move> moves;
  for (const LinkId link : links) {
    const NodeId place = places.of(topology.links()[link].from, "move node*/nic0 node*/plx1");
    if (place == topology.links()[link].to) continue;
    require_plug(topology.links()[link], place, topology);
    moves.push_back({link, place});
  }
  return moves;
}

// No move makes a second cable of a kind between two nodes.
void check_room(const std::vector<Move>& moves, const Topology& topology) {
  std::set<NodeId> places;
  for (const Move& move : moves) places.insert(move.to);
  std::set<std::tuple<NodeId, NodeId, LinkKind>> joined;
  for (const Link& link : topology.links())
    if (places.contains(link.to)) joined.emplace(link.from, link.to, link.kind);
  for (const Move& move : moves) {
    const Link& link = topology.links()[move.link];
    if (!joined.emplace(link.from, move.to, link.kind).second)
      throw joined_already(topology.nodes()[link.from].id, topology.nodes()[move.to].id, link.kind);
  }
}

Topology::Parts moved(const Topology& topology, const std::vector<Move>& moves) {
  check_room(moves, topology);
  Topology::Parts parts = topology.parts();
  for (const auto& [link, to] : moves) {
    parts.links[link].to = to;
    parts.links[link ^ 1].from = to;
    parts.links[link].name = parts.links[link ^ 1].name = "";
  }
  return parts;
}

std::vector<LinkId> cables_of(const std::string& nodes, const Topology& topology) {
  if (is_many(nodes)) return moorings(selected_nodes(nodes, topology), topology);
  return moorings({topology.node(nodes)}, topology);
}

std::vector<LinkId> cables_called(const std::string& name, const Topology& topology) {
  return is_many(name) ? selected_cables(name, topology)
                       : std::vector{selected_cable(name, topology)};
}

}  // namespace

MachineChange understand_move(const EditPhrase& phrase) {
  const std::string to = phrase.required("to").read(parse_node_name);
  if (phrase.subject.value.starts_with("link:"))
    return [cables = phrase.subject.read(parse_cable), to](const Topology& topology) {
      return moved(topology, moves_of(cables_called(cables, topology), to, topology));
    };
  return [nodes = phrase.subject.read(parse_node_name), to](const Topology& topology) {
    return moved(topology, moves_of(cables_of(nodes, topology), to, topology));
  };
}

}  // namespace syncsim
