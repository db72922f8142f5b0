#include "sim/topology/detours.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/base/error.h"
#include "sim/topology/path_level.h"
#include "sim/topology/policy_defect.h"

namespace syncsim {
namespace {

bool is_network(const Topology& topology, LinkId link) {
  return topology.links()[link].kind == LinkKind::network;
}

// How many hops of a route are network.
std::size_t network_hops(const Topology& topology, const Route& route) {
  std::set<std::size_t> hops;
  const std::vector<std::size_t> before = hops_before(topology, route.links);
  for (std::size_t i = 0; i < before.size(); ++i)
    if (is_network(topology, route.links[i])) hops.insert(before[i]);
  return hops.size();
}

std::optional<NodeId> first_nic(const Topology& topology, const Route& route) {
  for (const LinkId link : route.links)
    if (const NodeId to = topology.links()[link].to; topology.nodes()[to].kind == NodeKind::nic)
      return to;
  return std::nullopt;
}

}  // namespace

Detours::Detours(const Topology& topology, DirectRoutes& direct)
    : topology_(topology),
      policy_(topology.routing()),
      direct_(direct),
      any_(policy_ != RoutingPolicy{}),
      nics_(policy_.nics.begin(), policy_.nics.end()) {
  if (!any_) return;
  for (NodeId node = 0; node < topology.nodes().size(); ++node) {
    const std::uint32_t box = direct.places()[node].box;
    if (box >= gpus_.size()) gpus_.resize(box + std::size_t{1});
    if (is_gpu(node)) gpus_[box].push_back(node);
  }
}

std::vector<Waypoint> Detours::of(const Trip& trip, const Route& direct) {
  const auto [from, to] = std::pair(trip.from, trip.to);
  if (from == to) return {};
  if (direct.route_class == route_class(LinkKind::network)) return over_network(trip, direct);
  if (is_gpu(from) && is_gpu(to)) return between_gpus(trip, direct);
  if (is_gpu(from) && is_nic(to)) return beside_nic(from, to);
  if (is_nic(from) && is_gpu(to)) return beside_nic(to, from);
  return {};
}

std::vector<Waypoint> Detours::between_gpus(const Trip& trip, const Route& direct) {
  const bool by_nvlink = direct.route_class == route_class(LinkKind::nvlink);
  if (policy_.p2p == PeerLevel::loc) return {{root_of(trip.from), Passage::staged}};
  if (by_nvlink) return {};
  if (policy_.nvb)
    if (const auto relay = nvlink_relay(trip)) return {{*relay}};
  const PeerLevel level = path_level(topology_, direct.links);
  if (level > policy_.p2p) return {{root_of(trip.from), Passage::staged}};
  if (policy_.acs && level < PeerLevel::phb) return {{root_of(trip.from)}};
  return {};
}

std::vector<Waypoint> Detours::beside_nic(NodeId gpu, NodeId nic) {
  if (const auto root = root_beside(gpu, nic)) return {*root};
  return {};
}

std::vector<Waypoint> Detours::over_network(const Trip& trip, const Route& direct) {
  if (const auto relay = rail_relay(trip, direct)) {
    const Trip rest{*relay, trip.to, trip.channel, {std::nullopt, trip.nics.in}};
    std::vector<Waypoint> waypoints =
        over_network(rest, *direct_.find(rest.from, rest.to, rest.channel));
    waypoints.insert(waypoints.begin(), {*relay});
    return waypoints;
  }
  std::vector<Waypoint> waypoints;
  const std::optional<NodeId> out = given_nic(trip.from, trip.nics.out);
  const std::optional<NodeId> in = given_nic(trip.to, trip.nics.in);
  if (out && in) require_way_between(trip, *out, *in);
  leave(trip, direct, out, waypoints);
  arrive(trip, direct, in, waypoints);
  return waypoints;
}

// Past the first nic on the way to the network, or the one that is given in its place.
void Detours::leave(const Trip& trip, const Route& direct, std::optional<NodeId> given,
                    std::vector<Waypoint>& waypoints) {
  std::optional<NodeId> nic = given;
  for (const LinkId link : direct.links) {
    const NodeId to = topology_.links()[link].to;
    if (nic || is_network(topology_, link)) break;
    if (is_nic(to)) nic = to;
  }
  if (!nic || !(given || is_gpu(trip.from))) return;
  const auto root = is_gpu(trip.from) ? root_beside(trip.from, *nic) : std::nullopt;
  if (root) waypoints.push_back(*root);
  if (root || given) waypoints.push_back({*nic, Passage::nic_out});
}

// Past the last nic on the way from the network, or the one that is given in its place.
void Detours::arrive(const Trip& trip, const Route& direct, std::optional<NodeId> given,
                     std::vector<Waypoint>& waypoints) {
  std::optional<NodeId> nic = given;
  for (auto link = direct.links.rbegin(); link != direct.links.rend(); ++link) {
    const NodeId from = topology_.links()[*link].from;
    if (nic || is_network(topology_, *link)) break;
    if (is_nic(from)) nic = from;
  }
  if (!nic || !(given || is_gpu(trip.to))) return;
  const auto root = is_gpu(trip.to) ? root_beside(trip.to, *nic) : std::nullopt;
  if (root || given) waypoints.push_back({*nic, Passage::nic_in});
  if (root) waypoints.push_back(*root);
}

std::optional<Waypoint> Detours::root_beside(NodeId gpu, NodeId nic) {
  if (!policy_.gdr) return Waypoint{root_of(gpu), Passage::staged};
  if (!policy_.acs) return std::nullopt;
  const std::optional<Route> straight = direct_.find(gpu, nic);
  if (straight && path_level(topology_, straight->links) < PeerLevel::phb)
    return Waypoint{root_of(gpu)};
  return std::nullopt;
}

// The widest, of equal ones each channel takes its own.
std::optional<NodeId> Detours::nvlink_relay(const Trip& trip) {
  std::vector<NodeId> relays;
  double widest = 0;
  for (const NodeId gpu : surroundings().nvlink.common(trip.from, trip.to)) {
    const double width =
        std::min(direct_.find(trip.from, gpu)->bottleneck, direct_.find(gpu, trip.to)->bottleneck);
    if (width > widest) relays.clear();
    widest = std::max(widest, width);
    if (width == widest) relays.push_back(gpu);
  }
  if (relays.empty()) return std::nullopt;
  return relays[direct_.fabric_choice(trip.to, trip.channel) % relays.size()];
}

// The gpu of this box that has the number of the far one in its box, when the way on from there
// passes less of the network, or as much of it by another nic or over fewer links.
std::optional<NodeId> Detours::rail_relay(const Trip& trip, const Route& direct) {
  const auto [from, to] = std::pair(trip.from, trip.to);
  const bool has_nic = trip.nics.out || nics_.contains(from);
  if (!policy_.pxn || policy_.p2p == PeerLevel::loc || has_nic || !is_gpu(from) || !is_gpu(to))
    return std::nullopt;
  const Place& here = direct_.places()[from];
  const Place& there = direct_.places()[to];
  const std::vector<NodeId>& gpus = gpus_[here.box];
  if (here.box == there.box || there.number >= gpus.size() || gpus[there.number] == from)
    return std::nullopt;
  const NodeId relay = gpus[there.number];
  const std::optional<Route> over = direct_.find(from, relay);
  const std::optional<Route> on = direct_.find(relay, to, trip.channel);
  if (!over || over->route_class != route_class(LinkKind::nvlink) || !on) return std::nullopt;
  const std::size_t near = network_hops(topology_, direct);
  const std::size_t far = network_hops(topology_, *on);
  const bool is_other = first_nic(topology_, *on) != first_nic(topology_, direct);
  const bool is_better = far < near || (far == near && (is_other || on->hops < direct.hops));
  return is_better ? std::optional(relay) : std::nullopt;
}

std::optional<NodeId> Detours::given_nic(NodeId end, const std::optional<NodeId>& by_run) {
  const auto by_policy = nics_.find(end);
  if (!by_run && by_policy == nics_.end()) return std::nullopt;
  const NodeId nic = by_run ? *by_run : by_policy->second;
  const std::optional<Route> way = direct_.find(end, nic);
  if (way && way->route_class < route_class(LinkKind::network)) return nic;
  throw InputError(fmt::format("{} is to use {}, which it reaches {}", id(end), id(nic),
                               way ? "over the network only" : "not at all"),
                   "give it a nic of its own machine");
}

void Detours::require_way_between(const Trip& trip, NodeId out, NodeId in) {
  const auto way = direct_.find({out, in, trip.to, {true, true}}, trip.channel);
  const auto by_network = [&](LinkId link) { return is_network(topology_, link); };
  if (way && std::all_of(way->route.links.begin(), way->route.links.end(), by_network)) return;
  throw InputError(fmt::format("{} is to leave by {} and {} to be reached by {}, but no network "
                               "joins the two",
                               id(trip.from), id(out), id(trip.to), id(in)),
                   "give nics that a network joins");
}

Detours::Surroundings& Detours::surroundings() {
  if (!surroundings_) surroundings_ = std::make_unique<Surroundings>(topology_);
  return *surroundings_;
}

NodeId Detours::root_of(NodeId device) {
  if (const std::optional<NodeId> root = surroundings().cpus[device]) return *root;
  throw no_cpu_near(topology_.nodes()[device]);
}

}  // namespace syncsim
