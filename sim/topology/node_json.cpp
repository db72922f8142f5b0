#include "sim/topology/node_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"

namespace syncsim {
namespace {

// Each word of a list of words, once; `take` sets what it stands for and says whether it knows it.
template <class Take>
void read_words(const JsonReader& list, std::string_view what,
                const std::vector<std::string>& words, const Take& take) {
  std::vector<bool> seen(words.size());
  for (const JsonReader& entry : list.elements()) {
    const std::string word = entry.string();
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) throw unknown_name(what, word, words).at(entry.place());
    const auto index = static_cast<std::size_t>(found - words.begin());
    if (seen[index]) throw entry.error("\"" + word + "\" is listed twice", "list it once");
    seen[index] = true;
    take(index);
  }
}

Abilities read_abilities(const JsonReader& list, NodeKind kind) {
  Abilities abilities;
  read_words(list, "ability", {"reduce", "multicast"}, [&](std::size_t word) {
    (word == 0 ? abilities.reduce : abilities.multicast) = true;
  });
  if (kind != NodeKind::switch_)
    throw list.error(fmt::format("a {} neither reduces nor multicasts for others", to_string(kind)),
                     "give abilities to switches");
  return abilities;
}

std::pair<NodeId, NodeId> read_nic(const std::string& gpu, const std::string& nic,
                                   const NodeIndex& nodes) {
  const std::pair choice(nodes.find(gpu), nodes.find(nic));
  if (nodes.kind(choice.first) != NodeKind::gpu || nodes.kind(choice.second) != NodeKind::nic)
    throw InputError(fmt::format("{} is given {} as its nic", in_quotes(gpu), in_quotes(nic)),
                     "give a gpu a nic");
  return choice;
}

// In place of earlier choices, or after them.
void choose_nics(RoutingPolicy& policy, const JsonReader& nics, const NodeIndex& nodes) {
  std::unordered_map<NodeId, std::size_t> chosen;
  for (std::size_t i = 0; i < policy.nics.size(); ++i) chosen.emplace(policy.nics[i].first, i);
  for (const auto& member : nics.members()) {
    const auto choice = member.second.located(
        [&] { return read_nic(member.first, member.second.string(), nodes); });
    const auto earlier = chosen.find(choice.first);
    if (earlier == chosen.end())
      policy.nics.push_back(choice);
    else
      policy.nics[earlier->second] = choice;
  }
}

}  // namespace

double read_peer_cost(const JsonReader& json) {
  const double cost = json.number();
  if (cost < 1) throw json.error("peer traffic costs no less than its bytes", "write 1 or more");
  return cost;
}

Node read_node_figures(const JsonReader& entry) {
  entry.allow({"id", "kind", "transit_bandwidth", "reduce_bandwidth", "forwards", "peer_cost",
               "abilities", "architecture"});
  Node node;
  const JsonReader kind = entry.required("kind", R"("gpu")");
  node.kind = kind.located([&] { return parse_node_kind(kind.string()); });
  const auto forwards = entry.optional("forwards");
  node.forwards = forwards ? forwards->boolean() : node.kind != NodeKind::gpu;
  if (const auto rate = entry.optional("transit_bandwidth"))
    node.transit_bandwidth = rate->bandwidth();
  if (const auto rate = entry.optional("reduce_bandwidth"))
    node.reduce_bandwidth = rate->bandwidth();
  if (const auto cost = entry.optional("peer_cost")) node.peer_cost = read_peer_cost(*cost);
  if (const auto name = entry.optional("architecture"))
    node.architecture = name->located([&] { return parse_architecture(name->string()); });
  if (const auto list = entry.optional("abilities"))
    node.abilities = read_abilities(*list, node.kind);
  return node;
}

void check_node_alone(const JsonReader& at, const Node& node) {
  Topology::Parts alone;
  alone.nodes = {node};
  alone.ranks = {0};
  at.located([&] { return Topology(std::move(alone)); });
}

RoutingPolicy read_routing_policy(const JsonReader& json, const NodeIndex& nodes,
                                  RoutingPolicy base) {
  json.allow({"p2p", "acs", "gdr", "relays", "nics"});
  RoutingPolicy policy = std::move(base);
  if (const auto level = json.optional("p2p"))
    policy.p2p = level->located([&] { return parse_peer_level(level->string()); });
  if (const auto acs = json.optional("acs")) policy.acs = acs->boolean();
  if (const auto gdr = json.optional("gdr")) policy.gdr = gdr->boolean();
  if (const auto relays = json.optional("relays")) {
    policy.nvb = policy.pxn = false;
    read_words(*relays, "relay", {"nvb", "pxn"},
               [&](std::size_t word) { (word == 0 ? policy.nvb : policy.pxn) = true; });
  }
  if (const auto nics = json.optional("nics")) choose_nics(policy, *nics, nodes);
  return policy;
}

}  // namespace syncsim
