#include "sim/exec/cost_model/link_prices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/topology/fabric.h"
#include "sim/topology/routing.h"

namespace syncsim {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

Time time_of(double microseconds) { return {std::llround(std::max(0.0, microseconds) * 1e6)}; }

bool is_gpu_link(LinkKind kind) { return kind == LinkKind::nvlink || kind == LinkKind::xgmi; }

// Puts prices on links one by one.
class Pricing {
 public:
  Pricing(const Topology& machine, std::span<const NodeId> ranks, const LinkPrices& prices)
      : prices_(prices), parts_(machine.parts()), places_(places_of(machine)) {
    for (const NodeId rank : ranks) ++ranks_of_box_[places_[rank].box];
    for (const Link& link : parts_.links)
      if (is_gpu_link(link.kind) && is(link.from, NodeKind::gpu))
        out_[link.from] += link.usable.bytes_per_second;
  }

  void price_near() {
    for (Link& link : parts_.links)
      if (link.kind != LinkKind::network) price_near(link);
    if (!stages() || prices_.staging <= 0) return;
    for (Node& node : parts_.nodes)
      if (node.kind == NodeKind::cpu) price_memory(node);
  }

  // `near`: us of a way to another node that its ends' own links take already.
  void price_far(double near) {
    for (Link& link : parts_.links) {
      if (link.kind != LinkKind::network) continue;
      double rate = link.bandwidth.bytes_per_second * prices_.network_share;
      if (const auto end = end_of(link)) {
        link.latency += time_of((prices_.hop - near) / 2 * (1 - prices_.hop_pace));
        link.latency += time_of(prices_.stored / 2);
        link.overhead = time_of(prices_.hop * prices_.hop_pace);
        rate = std::min(rate, cap_of(*end));
      }
      set_rate(link, rate);
    }
  }

  Topology machine() && { return Topology(std::move(parts_)); }
  Topology copy() const { return Topology(parts_); }

 private:
  bool is(NodeId node, NodeKind kind) const { return parts_.nodes[node].kind == kind; }
  bool touches(const Link& link, NodeKind kind) const {
    return is(link.from, kind) || is(link.to, kind);
  }
  bool joins_gpus(const Link& link) const {
    return is(link.from, NodeKind::gpu) && is(link.to, NodeKind::gpu);
  }
  bool stages() const { return parts_.routing.p2p < PeerLevel::phb; }
  double step(StepKind kind) const { return prices_.step[static_cast<std::size_t>(kind)]; }

  // The nic or gpu where a link of the network meets its node.
  std::optional<NodeId> end_of(const Link& link) const {
    for (const NodeId end : {link.from, link.to})
      if (is(end, NodeKind::nic) || is(end, NodeKind::gpu)) return end;
    return std::nullopt;
  }

  // bytes/s of one nic.
  double cap_of(NodeId nic) const {
    double cap = prices_.nic_cap > 0 ? prices_.nic_cap : kUnlimited;
    if (prices_.node_cap > 0)
      cap = std::min(cap, prices_.node_cap * hosts_in(places_[nic]) / nics_in_use(nic));
    return cap * 1e9;
  }

  // Of the nic's box: those near to gpus that take part.
  double nics_in_use(NodeId nic) const {
    const Place& place = places_[nic];
    const auto ranks = ranks_of_box_.find(place.box);
    if (ranks == ranks_of_box_.end()) return std::max(1u, place.nics);
    return syncsim::nics_in_use(place, ranks->second);
  }

  void set_rate(Link& link, double rate) {
    link.usable = {rate};
    link.bandwidth = std::max(link.bandwidth, link.usable);
  }

  void price_near(Link& link) {
    const bool gpus = is_gpu_link(link.kind);
    double share = gpus ? prices_.gpu_share : link.kind == LinkKind::c2c ? 1 : prices_.pcie_share;
    if (gpus && prices_.gpu_cap > 0) share = std::min(share, share_within_cap(link));
    set_rate(link, std::min(link.usable.bytes_per_second * share, link.bandwidth.bytes_per_second));
    if (gpus && prices_.pair_cap > 0 && joins_gpus(link))
      link.usable.bytes_per_second = std::min(link.usable.bytes_per_second, prices_.pair_cap * 1e9);
    const double step = latency_of(link);
    link.latency = time_of(step * (1 - prices_.pace));
    link.overhead = time_of(step * prices_.pace * ends_of_step(link));
  }

  double share_within_cap(const Link& link) const {
    const auto out = out_.find(is(link.from, NodeKind::gpu) ? link.from : link.to);
    return out == out_.end() ? 1 : prices_.gpu_cap * 1e9 / out->second;
  }

  double latency_of(const Link& link) const {
    if (link.kind == LinkKind::xgmi) return step(StepKind::xgmi);
    if (link.kind == LinkKind::nvlink)
      return joins_gpus(link) ? step(StepKind::direct) : step(StepKind::switched) / 2;
    if (link.kind != LinkKind::pcie && link.kind != LinkKind::host) return 0;
    double latency = touches(link, NodeKind::gpu) ? step(StepKind::pcie) / 2 : 0;
    if (touches(link, NodeKind::cpu) && stages())
      latency += std::max(0.0, step(StepKind::staged) - step(StepKind::pcie)) / 2;
    return latency;
  }

  // A way has the largest overhead of its links, but the sum of their latencies.
  double ends_of_step(const Link& link) const { return joins_gpus(link) ? 1 : 2; }

  void price_memory(Node& node) {
    const double known = node.transit_bandwidth ? node.transit_bandwidth->bytes_per_second : 0;
    node.transit_bandwidth = Bandwidth{std::max(known, prices_.staging * 1e9)};
  }

  const LinkPrices& prices_;
  Topology::Parts parts_;
  std::vector<Place> places_;
  std::map<std::uint32_t, int> ranks_of_box_;
  std::map<NodeId, double> out_;  // bytes/s of a gpu's links of nvlink and xgmi
};

// What a switch is joined to, and how: equal for planes of one fabric.
using Signature = std::vector<std::tuple<NodeId, double, double, std::int64_t>>;

std::map<NodeId, Signature> switches_of_gpus(const Topology::Parts& parts) {
  std::map<NodeId, Signature> joined;
  for (const Link& link : parts.links)
    if (parts.nodes[link.from].kind == NodeKind::switch_ && link.kind == LinkKind::nvlink)
      joined[link.from].emplace_back(link.to, link.bandwidth.bytes_per_second,
                                     link.usable.bytes_per_second, link.latency.ps);
  for (auto& [node, signature] : joined) std::sort(signature.begin(), signature.end());
  return joined;
}

// NVSwitch planes over which flows are spread evenly are one switch to libraries, and here: with so
// many times the links' bandwidth. The others keep their nodes and lose their links.
void merge_planes(Topology::Parts& parts) {
  std::map<Signature, std::vector<NodeId>> alike;
  for (const auto& [node, signature] : switches_of_gpus(parts)) alike[signature].push_back(node);
  std::map<NodeId, int> planes;  // by switch; 0: merged into another
  for (const auto& [signature, nodes] : alike)
    for (const NodeId node : nodes)
      planes[node] = node == nodes.front() ? static_cast<int>(nodes.size()) : 0;
  const auto planes_of = [&](const Link& link) {
    for (const NodeId end : {link.from, link.to})
      if (const auto found = planes.find(end);
          found != planes.end() && link.kind == LinkKind::nvlink && link.spread == Spread::stripe)
        return found->second;
    return 1;
  };
  std::vector<Link> kept;
  for (Link& link : parts.links) {
    const int count = planes_of(link);
    if (count == 0) continue;
    link.bandwidth.bytes_per_second *= count;
    link.usable.bytes_per_second *= count;
    link.count *= count;
    kept.push_back(std::move(link));
  }
  parts.links = std::move(kept);
}

// us of the way from the first rank to one of another node that is not the network's; 0 in one.
double near_part(const Topology& machine, std::span<const NodeId> ranks) {
  const std::vector<NodeId> machines = machines_of(machine);
  const auto far = std::find_if(ranks.begin(), ranks.end(), [&](NodeId rank) {
    return machines[rank] != machines[ranks.front()];
  });
  if (far == ranks.end()) return 0;
  const Resources resources(machine, Rates::usable);
  double near = 0;
  for (const LinkId link : Router(machine, resources).find(ranks.front(), *far).links)
    if (machine.links()[link].kind != LinkKind::network)
      near += microseconds(machine.links()[link].latency);
  return near;
}

}  // namespace

double nics_in_use(const Place& place, double ranks) {
  if (place.nics == 0 || place.gpus == 0) return 1;
  return std::max(1.0, std::round(place.nics * ranks / place.gpus));
}

double hosts_in(const Place& place) {
  constexpr double kGpusOfHost = 8;
  return std::max(1.0, place.gpus / kGpusOfHost);
}

Topology priced(const Topology& machine, std::span<const NodeId> ranks, const LinkPrices& prices) {
  Topology::Parts parts = machine.parts();
  parts.routing.p2p = std::min(parts.routing.p2p, prices.p2p);
  merge_planes(parts);
  Pricing pricing(Topology(std::move(parts)), ranks, prices);
  pricing.price_near();
  pricing.price_far(near_part(pricing.copy(), ranks));
  return std::move(pricing).machine();
}

}  // namespace syncsim
