#include "sim/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/named_table.h"
#include "sim/topology/delay.h"
#include "sim/topology/link_names.h"
#include "sim/topology/pcie.h"

namespace syncsim {
namespace {

constexpr std::array<std::string_view, 4> kNodeKinds = {"gpu", "cpu", "switch", "nic"};
constexpr std::array<std::string_view, 7> kLinkKinds = {"nvlink", "xgmi",   "c2c",    "pcie",
                                                        "host",   "socket", "network"};
constexpr std::array<std::string_view, 2> kRates = {"line", "usable"};
constexpr std::array<std::string_view, 6> kPeerLevels = {"LOC", "NVL", "PIX", "PXB", "PHB", "SYS"};

template <class Enum, std::size_t size>
Enum parse(const std::array<std::string_view, size>& names, std::string_view what,
           std::string_view text) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<Enum>(found - names.begin());
  throw unknown_name(what, text, {names.begin(), names.end()});
}

std::string short_name(const Topology::Parts& parts, const Link& link) {
  return link_name(parts, link, NameForm::plain);
}

// `thing` makes the name for the message: machines have millions of links, and most are right.
template <class Thing>
void check_rate(Bandwidth bandwidth, const Thing& thing, std::string_view figure) {
  const double value = bandwidth.bytes_per_second;
  if (std::isfinite(value) && value > 0) return;
  throw InputError(fmt::format("the {} of {} is {} bytes/s", figure, thing(), value),
                   "write a finite bandwidth above zero");
}

template <class Thing>
void check_duration(Time time, const Thing& thing, std::string_view figure) {
  if (time.ps >= 0 && time <= kMostDelay) return;
  throw InputError(fmt::format("the {} of {} is {} ps", figure, thing(), time.ps),
                   fmt::format("write zero to {}", to_exact_string(kMostDelay)));
}

void check_node(const Node& node) {
  if (node.id.empty()) throw InputError("a node has an empty id", R"(name it, as in "gpu0")");
  if (node.id.find_first_of("->@* \t\r\n\f\v") != std::string::npos)
    throw InputError(fmt::format(R"(node id "{}" holds '-', '>', '@', '*' or a blank)", node.id),
                     "names of links and edits need these: use letters, digits, '_', '.' and '/'");
  const auto thing = [&] { return fmt::format(R"(node "{}")", node.id); };
  if (node.transit_bandwidth) check_rate(*node.transit_bandwidth, thing, "transit bandwidth");
  if (node.reduce_bandwidth) check_rate(*node.reduce_bandwidth, thing, "reduce bandwidth");
  if (!std::isfinite(node.peer_cost) || node.peer_cost < 1)
    throw InputError(fmt::format("the peer cost of {} is {}", thing(), node.peer_cost),
                     "write 1 or more, as in 1.2");
  if (node.architecture && node.kind != NodeKind::gpu)
    throw InputError(fmt::format("{} is a {} with a gpu's architecture, {}", thing(),
                                 to_string(node.kind), to_string(node.architecture)),
                     "give architectures to gpus");
}

std::unordered_map<std::string, NodeId> index_nodes(const std::vector<Node>& nodes) {
  std::unordered_map<std::string, NodeId> index;
  index.reserve(nodes.size());
  for (const Node& node : nodes) {
    check_node(node);
    if (!index.emplace(node.id, static_cast<NodeId>(index.size())).second)
      throw InputError(fmt::format(R"(node id "{}" appears twice)", node.id),
                       "give every node its own id");
  }
  return index;
}

void check_ends(const Topology::Parts& parts, const Link& link, std::size_t position) {
  if (link.from >= parts.nodes.size() || link.to >= parts.nodes.size())
    throw InputError(fmt::format("link {} joins nodes {} and {} of {}", position, link.from,
                                 link.to, parts.nodes.size()),
                     "number nodes from 0");
  if (link.from == link.to)
    throw InputError(fmt::format(R"(a link joins node "{}" to itself)", parts.nodes[link.from].id),
                     "join two different nodes");
}

template <class Thing>
void check_pcie(const Link& link, const Thing& thing) {
  if (link.lanes == 0 && link.generation == 0) return;
  if (link.kind != LinkKind::pcie)
    throw InputError(fmt::format("{} is of kind {} and has PCIe lanes or a generation", thing(),
                                 to_string(link.kind)),
                     "leave them out");
  if ((link.lanes != 0 && !is_pcie_width(link.lanes)) || link.generation > kLastPcieGeneration)
    throw InputError(
        fmt::format("{} is PCIe generation {} x{}", thing(), link.generation, link.lanes),
        fmt::format("write a generation up to {} and a width such as 16", kLastPcieGeneration));
}

void check_figures(const Topology::Parts& parts, const Link& link) {
  const auto thing = [&] { return fmt::format(R"(link "{}")", short_name(parts, link)); };
  check_rate(link.bandwidth, thing, "bandwidth");
  check_rate(link.usable, thing, "usable bandwidth");
  if (link.usable > link.bandwidth)
    throw InputError(fmt::format("the usable bandwidth {} of {} is above its line rate {}",
                                 to_string(link.usable), thing(), to_string(link.bandwidth)),
                     "write at most the line rate");
  check_duration(link.latency, thing, "latency");
  check_duration(link.overhead, thing, "overhead");
  if (link.count < 1)
    throw InputError(fmt::format("the count of {} is {}", thing(), link.count),
                     "write at least one cable");
  check_pcie(link, thing);
}

void check_cable(const Topology::Parts& parts, const Link& there, const Link& back) {
  const auto thing = [&] { return fmt::format(R"(link "{}")", short_name(parts, there)); };
  if (there.from != back.to || there.to != back.from || there.kind != back.kind)
    throw InputError(fmt::format("{} is not followed by its way back", thing()),
                     "list the two directions of a cable one after the other");
  if (there.half_duplex != back.half_duplex)
    throw InputError(fmt::format("{} and its way back differ in duplex", thing()),
                     "make both directions full or both half duplex");
  if (there.count != back.count)
    throw InputError(
        fmt::format("{} is {} cables and its way back {}", thing(), there.count, back.count),
        "give both directions the same count");
  if (there.half_duplex && (there.bandwidth != back.bandwidth || there.usable != back.usable))
    throw InputError(
        fmt::format("{} is half duplex and differs in bandwidth from its way back", thing()),
        "give both directions the one bandwidth that they share");
}

void check_links(const Topology::Parts& parts) {
  if (parts.links.size() % 2 != 0)
    throw InputError(fmt::format("there are {} links, an odd number", parts.links.size()),
                     "list both directions of every cable");
  for (std::size_t i = 0; i < parts.links.size(); ++i) {
    check_ends(parts, parts.links[i], i);
    check_figures(parts, parts.links[i]);
  }
  for (std::size_t i = 0; i < parts.links.size(); i += 2)
    check_cable(parts, parts.links[i], parts.links[i + 1]);
}

void check_ranks(const Topology::Parts& parts) {
  if (parts.ranks.empty())
    throw InputError("there are no ranks", R"(add a node of kind "gpu" or list "ranks")");
  std::vector<bool> seen(parts.nodes.size());
  for (std::size_t rank = 0; rank < parts.ranks.size(); ++rank) {
    const NodeId node = parts.ranks[rank];
    if (node >= parts.nodes.size())
      throw InputError(fmt::format("rank {} is node {} of {}", rank, node, parts.nodes.size()),
                       "number nodes from 0");
    if (seen[node])
      throw InputError(fmt::format(R"(node "{}" is a rank twice)", parts.nodes[node].id),
                       "list every rank once");
    seen[node] = true;
  }
}

void check_policy(const Topology::Parts& parts) {
  std::unordered_set<NodeId> seen;
  for (const auto& [gpu, nic] : parts.routing.nics) {
    if (gpu >= parts.nodes.size() || nic >= parts.nodes.size())
      throw InputError(
          fmt::format("node {} or {} of {} is given a nic", gpu, nic, parts.nodes.size()),
          "number nodes from 0");
    if (parts.nodes[gpu].kind != NodeKind::gpu || parts.nodes[nic].kind != NodeKind::nic)
      throw InputError(
          fmt::format("{} is given {} as its nic", parts.nodes[gpu].id, parts.nodes[nic].id),
          "give a gpu a nic");
    if (!seen.insert(gpu).second)
      throw InputError(fmt::format("{} is given two nics", parts.nodes[gpu].id), "give it one");
  }
}

}  // namespace

std::string_view to_string(NodeKind kind) { return kNodeKinds.at(static_cast<std::size_t>(kind)); }
std::string_view to_string(LinkKind kind) { return kLinkKinds.at(static_cast<std::size_t>(kind)); }
std::string_view to_string(Rates rates) { return kRates.at(static_cast<std::size_t>(rates)); }

NodeKind parse_node_kind(std::string_view text) {
  return parse<NodeKind>(kNodeKinds, "node kind", text);
}
LinkKind parse_link_kind(std::string_view text) {
  return parse<LinkKind>(kLinkKinds, "link kind", text);
}
std::string_view to_string(PeerLevel level) {
  return kPeerLevels.at(static_cast<std::size_t>(level));
}
PeerLevel parse_peer_level(std::string_view text) {
  return parse<PeerLevel>(kPeerLevels, "P2P level", text);
}
Rates parse_rates(std::string_view text) { return parse<Rates>(kRates, "rates", text); }

Topology::Topology(Parts parts) : parts_(std::move(parts)), index_(index_nodes(parts_.nodes)) {
  check_links(parts_);
  name_links(parts_);
  check_ranks(parts_);
  check_policy(parts_);
}

std::optional<NodeId> Topology::find_node(std::string_view id) const {
  const auto found = index_.find(std::string(id));
  if (found == index_.end()) return std::nullopt;
  return found->second;
}

NodeId Topology::node(std::string_view id) const {
  if (const auto found = find_node(id)) return *found;
  std::vector<std::string> ids;
  for (const Node& node : nodes()) ids.push_back(node.id);
  throw unknown_name("node", id, ids);
}

std::vector<NodeId> Topology::nodes_of_kind(NodeKind kind) const {
  std::vector<NodeId> result;
  for (NodeId node = 0; node < nodes().size(); ++node)
    if (nodes()[node].kind == kind) result.push_back(node);
  return result;
}

std::string Topology::cable_name(LinkId link) const {
  std::string name = links().at(link & ~LinkId{1}).name;
  name[name.find('>')] = '-';
  return name;
}

}  // namespace syncsim
