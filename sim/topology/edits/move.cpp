// A cable whose far end is plugged in elsewhere: "move nic0 plx1" (the node's PCIe cable, or its
// only one), "move link:nic0-plx0 plx1" (the end that is named first stays). All else stays.

#include <fmt/format.h>

#include <utility>

#include "sim/base/quote.h"
#include "sim/topology/edits/nodes.h"
#include "sim/topology/edits/target.h"
#include "sim/topology/edits/verbs.h"

namespace syncsim {
namespace {

Topology::Parts moved(const Topology& topology, LinkId link, NodeId to) {
  Topology::Parts parts = topology.parts();
  const Link& before = topology.links()[link];
  if (before.to == to) return parts;
  require_unjoined(parts, before.from, to, before.kind);
  parts.links[link].to = to;
  parts.links[link ^ 1].from = to;
  parts.links[link].name = parts.links[link ^ 1].name = "";
  return parts;
}

}  // namespace

MachineChange understand_move(const EditPhrase& phrase) {
  const std::string to = phrase.required("to").read(parse_one_node);
  const std::string& what = phrase.subject.value;
  if (what.starts_with("link:"))
    return [cable = phrase.subject.read(parse_cable), to](const Topology& topology) {
      return moved(topology, selected_cable(cable, topology), topology.node(to));
    };
  return [id = phrase.subject.read(parse_one_node), to](const Topology& topology) {
    return moved(topology, mooring(topology.node(id), topology), topology.node(to));
  };
}

}  // namespace syncsim
