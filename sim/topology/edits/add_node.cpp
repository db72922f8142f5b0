// New nodes: "add node:nic8 kind=nic" has no cable yet; "add node:nic8 like node:nic0" is a twin
// of nic0 with all its cables, to the same neighbours; "... at plx1" plugs the cable that "move"
// would move (edits/target.h) into plx1. A new gpu and the twin of a rank become the last rank.

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/quote.h"
#include "sim/topology/edits/add.h"
#include "sim/topology/edits/nodes.h"
#include "sim/topology/edits/target.h"
#include "sim/topology/id_range.h"

namespace syncsim {
namespace {

void append(Topology::Parts& parts, Node node, bool is_rank) {
  for (const Node& other : parts.nodes)
    if (other.id == node.id)
      throw InputError(fmt::format("there is a node {} already", in_quotes(node.id)),
                       "give the new one another id");
  parts.nodes.push_back(std::move(node));
  if (is_rank) parts.ranks.push_back(static_cast<NodeId>(parts.nodes.size() - 1));
}

bool is_rank(const Topology& topology, NodeId node) {
  const std::vector<NodeId>& ranks = topology.ranks();
  return std::find(ranks.begin(), ranks.end(), node) != ranks.end();
}

constexpr const char* kRight =
    R"(write "add node:nic8 kind=nic" or "add node:nic8 like node:nic0 at plx1")";

struct Twin {
  std::string id;
  std::string of;
  std::string at;  // "": where the other is
};

Topology::Parts add_twin(const Twin& twin, const Topology& topology) {
  Topology::Parts parts = topology.parts();
  const NodeId of = topology.node(twin.of);
  Node node = topology.nodes()[of];
  node.id = twin.id;
  append(parts, node, node.kind == NodeKind::gpu || is_rank(topology, of));
  const auto copy = static_cast<NodeId>(parts.nodes.size() - 1);
  std::optional<LinkId> moved;  // the only one of its kind, so it meets no other where it goes
  if (!twin.at.empty()) moved = moorings({of}, topology).front();
  for (LinkId link = 0; link < topology.links().size(); ++link) {
    const Link& cable = topology.links()[link];
    if (cable.from != of) continue;
    const NodeId to = link == moved ? topology.node(twin.at) : cable.to;
    if (link == moved) require_plug(cable, to, topology);
    append_cable(parts, copy, to, cable, topology.links()[link ^ 1]);
  }
  return parts;
}

}  // namespace

MachineChange understand_new_node(const EditPhrase& phrase, const std::string& id) {
  phrase.subject.read(parse_one_node);
  phrase.subject.read([&](std::string_view) { return range_size(id); });  // the reader's limits
  if (const EditArgument* like = phrase.find("like")) {
    allow_arguments(phrase, {"like", "at"}, "a twin takes \"like\" and \"at\"",
                    "leave this out, or change it in an edit that follows");
    const EditArgument* at = phrase.find("at");
    return [twin = Twin{id, like->read(parse_one_node), at ? at->read(parse_one_node) : ""}](
               const Topology& topology) { return add_twin(twin, topology); };
  }
  allow_arguments(phrase, {"kind"}, "a new node takes \"kind\" or \"like\"", kRight);
  const EditArgument* kind = phrase.find("kind");
  if (kind == nullptr)
    throw InputError("a new node lacks \"kind\" or \"like\"", kRight, phrase.place);
  Node node;
  node.id = id;
  node.kind = kind->read(parse_node_kind);
  node.forwards = node.kind != NodeKind::gpu;
  return [node](const Topology& topology) {
    Topology::Parts parts = topology.parts();
    append(parts, node, node.kind == NodeKind::gpu);
    return parts;
  };
}

}  // namespace syncsim
