// How devices reach each other (routing_policy.h).

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/named_table.h"
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

std::vector<NodeId> matching_gpus(const std::string& pattern, const Topology& topology) {
  std::vector<NodeId> gpus;
  std::vector<std::string> ids;
  for (const NodeId gpu : topology.nodes_of_kind(NodeKind::gpu)) {
    ids.push_back(topology.nodes()[gpu].id);
    if (matches(pattern, ids.back())) gpus.push_back(gpu);
  }
  if (gpus.empty()) throw unknown_name("gpu", pattern, ids);
  return gpus;
}

// Kept in order of the gpus.
void use_nic(RoutingPolicy& policy, NodeId gpu, NodeId nic) {
  auto& nics = policy.nics;
  const auto place = std::find_if(nics.begin(), nics.end(),
                                  [&](const auto& choice) { return choice.first >= gpu; });
  if (place != nics.end() && place->first == gpu)
    place->second = nic;
  else
    nics.insert(place, {gpu, nic});
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
    for (const NodeId gpu : matching_gpus(gpus, topology))
      use_nic(parts.routing, gpu, topology.node(nic));
    return parts;
  };
}

}  // namespace syncsim
