#include "sim/report/machine_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "sim/report/staging_note.h"
#include "sim/topology/bisection.h"
#include "sim/topology/boxes.h"
#include "sim/topology/id_pattern.h"
#include "sim/topology/path_level.h"

namespace syncsim {
namespace {

// Values in the order in which they come first, each with the ids that have it.
template <class Value>
class Groups {
 public:
  void add(Value value, std::string_view id) {
    const auto [known, is_new] = numbers_.emplace(std::move(value), ids_.size());
    if (is_new) ids_.emplace_back();
    ids_[known->second].push_back(id);
  }

  std::vector<std::pair<Value, IdTexts>> take() const {
    std::vector<std::pair<Value, IdTexts>> groups(ids_.size());
    for (const auto& [value, number] : numbers_) groups[number] = {value, compressed(ids_[number])};
    return groups;
  }

 private:
  std::map<Value, std::size_t> numbers_;
  std::vector<std::vector<std::string_view>> ids_;
};

Link one_of(Link link) {
  link.bandwidth.bytes_per_second /= link.count;
  link.usable.bytes_per_second /= link.count;
  return link;
}

auto figures(const Link& link) {
  return std::tuple(link.bandwidth, link.usable, link.latency, link.half_duplex);
}

std::vector<CableGroup> cable_groups(const Topology& topology) {
  using Figures = decltype(figures(Link()));
  std::map<std::tuple<LinkKind, Figures, Figures>, std::size_t> numbers;
  std::vector<CableGroup> groups;
  for (LinkId cable = 0; cable < topology.links().size(); cable += 2) {
    const Link there = one_of(topology.links()[cable]);
    const Link back = one_of(topology.links()[cable + 1]);
    const auto [known, is_new] =
        numbers.emplace(std::tuple(there.kind, figures(there), figures(back)), groups.size());
    if (is_new) groups.push_back({there, back, 0});
    groups[known->second].cables += there.count;
  }
  std::stable_sort(groups.begin(), groups.end(), [](const CableGroup& a, const CableGroup& b) {
    return a.there.kind < b.there.kind;
  });
  return groups;
}

// As the map's key: rates and cables by kind.
using Parts = std::map<LinkKind, std::pair<double, std::int64_t>>;

std::vector<Injection> injections(const Topology& topology, Rates rates) {
  std::vector<Parts> sent(topology.nodes().size());
  for (const Link& link : topology.links()) {
    auto& [rate, cables] = sent[link.from][link.kind];
    rate += link.rate(rates).bytes_per_second;
    cables += link.count;
  }
  Groups<Parts> groups;
  for (const NodeId rank : topology.ranks())
    groups.add(std::move(sent[rank]), topology.nodes()[rank].id);
  std::vector<Injection> result;
  for (const auto& [parts, ranks] : groups.take()) {
    result.push_back({ranks, {}});
    for (const auto& [kind, part] : parts) result.back().parts[kind] = {part.first, part.second};
  }
  return result;
}

std::vector<NodeNote> notes(const Topology& topology) {
  Groups<std::string> groups;
  for (const Node& node : topology.nodes()) {
    if (node.transit_bandwidth)
      groups.add("transit " + to_string(*node.transit_bandwidth), node.id);
    if (node.reduce_bandwidth) groups.add("adds up " + to_string(*node.reduce_bandwidth), node.id);
    if (node.peer_cost != 1) groups.add(fmt::format("peer cost {}", node.peer_cost), node.id);
    if (node.architecture) groups.add(to_string(node.architecture), node.id);
    if (node.abilities.reduce) groups.add("reduces in the network", node.id);
    if (node.abilities.multicast) groups.add("multicasts", node.id);
    if (node.kind == NodeKind::gpu && node.forwards) groups.add("forwards", node.id);
    if (node.kind != NodeKind::gpu && !node.forwards) groups.add("does not forward", node.id);
  }
  std::vector<NodeNote> result;
  for (auto& [note, nodes] : groups.take()) result.push_back({note, std::move(nodes)});
  return result;
}

NetworkPorts network_ports(const Topology& topology, Rates rates) {
  NetworkPorts ports;
  std::set<NodeId> nics;
  for (const Link& link : topology.links()) {
    if (link.kind != LinkKind::network || topology.nodes()[link.from].kind != NodeKind::nic)
      continue;
    nics.insert(link.from);
    ports.rate += link.rate(rates).bytes_per_second;
  }
  ports.nics = std::ssize(nics);
  return ports;
}

IdTexts ids_of(const Topology& topology, const std::vector<NodeId>& nodes) {
  std::vector<std::string_view> ids;
  for (const NodeId node : nodes) ids.push_back(topology.nodes()[node].id);
  return compressed(ids);
}

std::vector<Halves> halves(const Topology& topology, Rates rates) {
  std::vector<Halves> result;
  for (const Bisection& cut : bisections(topology, rates))
    result.push_back({cut.over, cut.rate, ids_of(topology, cut.senders),
                      ids_of(topology, cut.receivers), cut.is_least});
  return result;
}

std::int64_t boxes_of(const Topology& topology) {
  const std::vector<Place> places = places_of(topology);
  std::set<std::uint32_t> boxes;
  for (const NodeId rank : topology.ranks()) boxes.insert(places[rank].box);
  return std::ssize(boxes);
}

// Each link starts where the one before it ends.
bool is_chain(const Topology& topology, const Route& route) {
  for (std::size_t i = 1; i < route.links.size(); ++i)
    if (topology.links()[route.links[i]].from != topology.links()[route.links[i - 1]].to)
      return false;
  return true;
}

IdTexts chain(const Topology& topology, const Route& route, NodeId from) {
  IdTexts path = {topology.nodes()[from].id};
  for (const LinkId link : route.links)
    path.push_back(topology.nodes()[topology.links()[link].to].id);
  return path;
}

// Of a spread route: the nodes by how many hops lead there.
IdTexts layers(const Topology& topology, const Route& route, NodeId from) {
  const std::vector<std::size_t> hops = hops_before(topology, route.links);
  std::vector<std::vector<std::string_view>> nodes = {{topology.nodes()[from].id}};
  for (std::size_t i = 0; i < hops.size(); ++i) {
    const std::string_view to = topology.nodes()[topology.links()[route.links[i]].to].id;
    nodes.resize(std::max(nodes.size(), hops[i] + 2));
    std::vector<std::string_view>& layer = nodes[hops[i] + 1];
    if (std::find(layer.begin(), layer.end(), to) == layer.end()) layer.push_back(to);
  }
  IdTexts path;
  for (const auto& ids : nodes) path.push_back(fmt::format("{}", fmt::join(compressed(ids), ",")));
  return path;
}

RouteReport::Step step_of(const Topology& topology, const Resources& resources, const Route& route,
                          const ResourceUse& use) {
  const Resource& resource = resources.all()[use.resource];
  RouteReport::Step step{resource.name, "transit", resource.capacity, use.coefficient, {}};
  for (const LinkId link : route.links)
    if (resources.of_link(link) == use.resource) {
      step.kind = to_string(topology.links()[link].kind);
      step.latency = topology.links()[link].latency;
    }
  return step;
}

}  // namespace

MachineReport machine_report(const Topology& topology, Rates rates) {
  MachineReport report;
  report.topology = topology.name();
  report.description = topology.description();
  report.source = topology.source();
  report.rates = rates;
  for (const Node& node : topology.nodes()) ++report.nodes[node.kind];
  report.counts = counts_of(topology);
  report.boxes = boxes_of(topology);
  report.rank_nodes = ids_of(topology, topology.ranks());
  report.notes = notes(topology);
  report.links = cable_groups(topology);
  report.injection = injections(topology, rates);
  report.network = network_ports(topology, rates);
  report.bisection = halves(topology, rates);
  report.routing = topology.routing();
  for (const auto& [gpu, nic] : topology.routing().nics)
    report.nics.push_back(
        fmt::format("{} uses {}", topology.nodes()[gpu].id, topology.nodes()[nic].id));
  return report;
}

RouteReport route_report(const Topology& topology, Rates rates, NodeId from, NodeId to,
                         std::uint32_t channel) {
  const Resources resources(topology, rates);
  const Route route = Router(topology, resources).find(from, to, channel);
  RouteReport report;
  report.from = topology.nodes()[from].id;
  report.to = topology.nodes()[to].id;
  report.channel = channel;
  report.path =
      is_chain(topology, route) ? chain(topology, route, from) : layers(topology, route, from);
  report.hops = route.hops;
  report.route_class = route.route_class;
  report.latency = route.latency;
  report.overhead = route.overhead;
  report.rate = route.bottleneck;
  if (!route.staged_freely.empty()) report.notes = {staging_note(topology, route.staged_freely)};
  const double least = route.bottleneck * (1 + 1e-9);  // of equal ones the first
  for (const ResourceUse& use : route.uses) {
    report.steps.push_back(step_of(topology, resources, route, use));
    const RouteReport::Step& step = report.steps.back();
    if (!report.bottleneck.empty() || step.capacity / step.coefficient > least) continue;
    report.bottleneck = step.name;
  }
  return report;
}

MachineCounts counts_of(const Topology& topology) {
  MachineCounts counts{static_cast<std::int64_t>(topology.ranks().size()),
                       static_cast<std::int64_t>(topology.nodes().size()), 0};
  for (LinkId link = 0; link < topology.links().size(); link += 2)
    counts.cables += topology.links()[link].count;
  return counts;
}

std::string to_string(const MachineCounts& counts) {
  const auto counted = [](std::int64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  return fmt::format("{}, {}, {}", counted(counts.ranks, "rank"), counted(counts.nodes, "node"),
                     counted(counts.cables, "cable"));
}

}  // namespace syncsim
