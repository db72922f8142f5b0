// How devices reach each other (routing_policy.h).

#include <fmt/format.h>

#include <map>

#include "sim/base/named_table.h"
#include "sim/topology/edits/nodes.h"
#include "sim/topology/edits/target.h"
#include "sim/topology/edits/verbs.h"

namespace syncsim {
namespace {

struct Switch {
  std::string_view name;
  void (*turn)(RoutingPolicy& policy, bool on);
};

constexpr Switch kSwitches[] = {
    {"p2p",
     [](RoutingPolicy& policy, bool on) { policy.p2p = on ? PeerLevel::sys : PeerLevel::nvl; }},
    {"acs", [](RoutingPolicy& policy, bool on) { policy.acs = on; }},
    {"gdr", [](RoutingPolicy& policy, bool on) { policy.gdr = on; }},
    {"nvb", [](RoutingPolicy& policy, bool on) { policy.nvb = on; }},
    {"pxn", [](RoutingPolicy& policy, bool on) { policy.pxn = on; }},
};

const Switch& parse_switch(std::string_view text) {
  std::vector<std::string> names;
  for (const Switch& row : kSwitches) {
    if (row.name == text) return row;
    names.emplace_back(row.name);
  }
  throw unknown_name("thing to enable or disable", text, names);
}

template <class Change>
MachineChange change_policy(Change change) {
  return [change](const Topology& topology) {
    Topology::Parts parts = topology.parts();
    change(parts.routing);
    return parts;
  };
}

MachineChange turn(const EditPhrase& phrase, bool on) {
  const auto turn =
      phrase.subject.read([](std::string_view text) { return parse_switch(text).turn; });
  return change_policy([turn, on](RoutingPolicy& policy) { turn(policy, on); });
}

}  // namespace

MachineChange understand_enabling(const EditPhrase& phrase) { return turn(phrase, true); }

MachineChange understand_disabling(const EditPhrase& phrase) { return turn(phrase, false); }

MachineChange understand_limit(const EditPhrase& phrase) {
  phrase.subject.read([](std::string_view text) {
    if (text != "p2p") throw unknown_name("thing to limit", text, {"p2p"});
  });
  const PeerLevel level = phrase.required("to").read(parse_peer_level);
  return change_policy([level](RoutingPolicy& policy) { policy.p2p = level; });
}

MachineChange understand_use(const EditPhrase& phrase) {
  const std::string nic = phrase.subject.read(parse_node_name);
  const std::string gpus = phrase.required("for").read(parse_node_name);
  return [nic, gpus](const Topology& topology) {
    Topology::Parts parts = topology.parts();
    const NodesInReach nics(nic, topology, NodeKind::nic);
    std::map<NodeId, NodeId> choices(parts.routing.nics.begin(), parts.routing.nics.end());
    for (const NodeId gpu : selected_nodes(gpus, topology, NodeKind::gpu))
      choices[gpu] = nics.of(gpu, "use node*/nic0 for node*/gpu*");
    parts.routing.nics.assign(choices.begin(), choices.end());
    return parts;
  };
}

}  // namespace syncsim
