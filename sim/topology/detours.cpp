#include "sim/topology/detours.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/base/error.h"

namespace syncsim {
namespace {

// What `leads` says of the first link for which it says anything, from one end of the route on.
template <class Links, class Leads>
std::optional<NodeId> first_of(const Links& links, const Leads& leads) {
  for (const LinkId link : links)
    if (const std::optional<NodeId> node = leads(link)) return node;
  return std::nullopt;
}

}  // namespace

Detours::Detours(const Topology& topology, std::span<const Place> places, Direct direct)
    : topology_(topology),
      policy_(topology.routing()),
      places_(places),
      direct_(std::move(direct)),
      any_(policy_ != RoutingPolicy{}) {
  if (!any_) return;
  for (NodeId node = 0; node < places_.size(); ++node) {
    if (places_[node].box >= boxes_.size()) boxes_.resize(places_[node].box + 1);
    Box& box = boxes_[places_[node].box];
    if (is_gpu(node)) box.gpus.push_back(node);
    if (topology.nodes()[node].kind == NodeKind::cpu) box.cpus.push_back(node);
  }
}

std::vector<Waypoint> Detours::of(NodeId from, NodeId to, std::uint32_t channel,
                                  const Route& direct, std::uint64_t choice) {
  if (from == to) return {};
  if (direct.route_class == route_class(LinkKind::network))
    return over_network(from, to, channel, direct);
  if (is_gpu(from) && is_gpu(to)) return between_gpus(from, to, direct, choice);
  return {};
}

std::vector<Waypoint> Detours::between_gpus(NodeId from, NodeId to, const Route& direct,
                                            std::uint64_t choice) {
  const bool by_nvlink = direct.route_class == 0;
  if (policy_.p2p == PeerLevel::loc) return {{root_of(from), true}};
  if (by_nvlink) return {};
  if (policy_.nvb)
    if (const auto relay = nvlink_relay(from, to, choice)) return {{*relay, false}};
  if (level_of(direct) > policy_.p2p) return {{root_of(from), true}};
  if (policy_.acs && cpus_on(direct) == 0) return {{root_of(from), false}};
  return {};
}

std::vector<Waypoint> Detours::over_network(NodeId from, NodeId to, std::uint32_t channel,
                                            const Route& direct) {
  const bool may_relay = policy_.pxn && policy_.p2p != PeerLevel::loc && !given_nic(from);
  if (may_relay && is_gpu(from) && is_gpu(to)) {
    if (const auto relay = rail_relay(from, to, direct)) {
      std::vector<Waypoint> waypoints =
          over_network(*relay, to, channel, *direct_(*relay, to, channel));
      waypoints.insert(waypoints.begin(), {*relay, false});
      return waypoints;
    }
  }
  const auto is_nic = [&](NodeId node) { return topology_.nodes()[node].kind == NodeKind::nic; };
  const std::vector<Link>& links = topology_.links();
  std::vector<Waypoint> waypoints;
  const auto nic_out = first_of(direct.links, [&](LinkId link) {
    return is_nic(links[link].to) ? std::optional(links[link].to) : std::nullopt;
  });
  const std::vector<LinkId> back(direct.links.rbegin(), direct.links.rend());
  const auto nic_in = first_of(back, [&](LinkId link) {
    return is_nic(links[link].from) ? std::optional(links[link].from) : std::nullopt;
  });
  if (is_gpu(from) && nic_out) {
    const std::optional<NodeId> given = given_nic(from);
    const NodeId nic = given.value_or(*nic_out);
    const auto root = beside_nic(from, nic);
    if (root) waypoints.push_back(*root);
    if (root || given) waypoints.push_back({nic, false});
  }
  if (is_gpu(to) && nic_in) {
    const std::optional<NodeId> given = given_nic(to);
    const NodeId nic = given.value_or(*nic_in);
    const auto root = beside_nic(to, nic);
    if (root || given) waypoints.push_back({nic, false});
    if (root) waypoints.push_back(*root);
  }
  return waypoints;
}

std::optional<Waypoint> Detours::beside_nic(NodeId gpu, NodeId nic) {
  if (!policy_.gdr) return Waypoint{root_of(gpu), true};
  if (!policy_.acs) return std::nullopt;
  const std::optional<Route> straight = direct_(gpu, nic, 0);
  if (straight && cpus_on(*straight) == 0) return Waypoint{root_of(gpu), false};
  return std::nullopt;
}

// The widest, of equal ones each channel takes its own.
std::optional<NodeId> Detours::nvlink_relay(NodeId from, NodeId to, std::uint64_t choice) {
  std::vector<NodeId> relays;
  double widest = 0;
  for (const NodeId gpu : boxes_[places_[from].box].gpus) {
    if (gpu == from || gpu == to) continue;
    const std::optional<Route> there = direct_(from, gpu, 0);
    const std::optional<Route> on = direct_(gpu, to, 0);
    if (!there || !on || there->route_class != 0 || on->route_class != 0) continue;
    const double width = std::min(there->bottleneck, on->bottleneck);
    if (width > widest) relays.clear();
    widest = std::max(widest, width);
    if (width == widest) relays.push_back(gpu);
  }
  if (relays.empty()) return std::nullopt;
  return relays[choice % relays.size()];
}

// The gpu of this box that has the number of the far one in its box, when the way on from there
// passes less of the network, or as much of it and fewer links.
std::optional<NodeId> Detours::rail_relay(NodeId from, NodeId to, const Route& direct) {
  const std::vector<NodeId>& gpus = boxes_[places_[from].box].gpus;
  const std::uint32_t number = places_[to].number;
  if (places_[from].box == places_[to].box || number >= gpus.size() || gpus[number] == from)
    return std::nullopt;
  const std::optional<Route> there = direct_(from, gpus[number], 0);
  const std::optional<Route> on = direct_(gpus[number], to, 0);
  if (!there || there->route_class != 0 || !on) return std::nullopt;
  if (std::pair(network_hops(*on), on->hops) >= std::pair(network_hops(direct), direct.hops))
    return std::nullopt;
  return gpus[number];
}

std::optional<NodeId> Detours::given_nic(NodeId node) const {
  for (const auto& [gpu, nic] : policy_.nics)
    if (gpu == node) return nic;
  return std::nullopt;
}

NodeId Detours::root_of(NodeId device) {
  if (const auto known = roots_.find(device); known != roots_.end()) return known->second;
  std::optional<NodeId> root = nearest(device, boxes_[places_[device].box].cpus);
  if (!root) root = nearest(device, topology_.nodes_of_kind(NodeKind::cpu));
  if (!root)
    throw InputError(fmt::format("the routing policy leads the traffic of {} through a cpu, and it "
                                 "reaches none",
                                 topology_.nodes()[device].id),
                     "join it to one, or allow its devices to reach each other");
  return roots_[device] = *root;
}

std::optional<NodeId> Detours::nearest(NodeId device, std::span<const NodeId> cpus) {
  std::optional<std::tuple<int, int, NodeId>> best;
  for (const NodeId cpu : cpus) {
    const std::optional<Route> route = direct_(device, cpu, 0);
    if (!route || route->route_class == route_class(LinkKind::network)) continue;
    const std::tuple candidate(route->route_class, route->hops, cpu);
    if (!best || candidate < *best) best = candidate;
  }
  if (!best) return std::nullopt;
  return std::get<NodeId>(*best);
}

int Detours::cpus_on(const Route& route) const {
  int cpus = 0;
  for (const LinkId link : route.links)
    cpus += topology_.nodes()[topology_.links()[link].to].kind == NodeKind::cpu ? 1 : 0;
  return cpus;
}

PeerLevel Detours::level_of(const Route& route) const {
  const int cpus = cpus_on(route);
  if (cpus > 1) return PeerLevel::sys;
  if (cpus == 1) return PeerLevel::phb;
  return route.hops > 2 ? PeerLevel::pxb : PeerLevel::pix;
}

int Detours::network_hops(const Route& route) const {
  return static_cast<int>(std::count_if(route.links.begin(), route.links.end(), [&](LinkId link) {
    return topology_.links()[link].kind == LinkKind::network;
  }));
}

}  // namespace syncsim
