#include "sim/exec/nccl/nccl_node.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "sim/base/error.h"
#include "sim/topology/path_level.h"

namespace syncsim {
namespace {

constexpr int kMostChannelSteps = 5000;   // of the search for one channel
constexpr double kLostToRounding = 1e-6;  // GB/s lost to rounding

// Without the network, and through nodes that forward. By node.
std::vector<bool> reached_within(const Topology& topology, const LinksOut& links, NodeId from) {
  std::vector<bool> reached(topology.nodes().size());
  std::vector<NodeId> next = {from};
  reached[from] = true;
  while (!next.empty()) {
    const NodeId node = next.back();
    next.pop_back();
    if (node != from && !topology.nodes()[node].forwards) continue;
    for (const LinkId link : links.of(node)) {
      const NodeId to = topology.links()[link].to;
      if (topology.links()[link].kind == LinkKind::network || reached[to]) continue;
      reached[to] = true;
      next.push_back(to);
    }
  }
  return reached;
}

double port_rate(const Topology& topology, NodeId node) {
  double rate = 0;
  for (const Link& link : topology.links())
    if (link.from == node && link.kind == LinkKind::network)
      rate += gigabytes_per_second(link.bandwidth);
  return rate;
}

}  // namespace

struct NcclNode::Walk {
  Left& left;
  double speed = 0;
  std::size_t start = 0;
  int steps = kMostChannelSteps;
  std::vector<bool> passed;
};

NcclNode::NcclNode(const Topology& topology, std::span<const NodeId> ranks)
    : topology_(topology),
      resources_(topology, Rates::usable),
      links_(topology),
      router_(topology, resources_),
      island_(machines_of(topology)) {
  std::set<NodeId> islands;
  for (const NodeId rank : ranks) {
    islands.insert(island_[rank]);
    if (island_[rank] == island_[ranks.front()]) ranks_.push_back(rank);
  }
  nodes_ = static_cast<int>(islands.size());
  capacities_.assign(resources_.all().size(), kUnlimited);
  for (LinkId link = 0; link < topology.links().size(); ++link) {
    const Link& figures = topology.links()[link];
    capacities_[resources_.of_link(link)] = gigabytes_per_second(
        figures.kind == LinkKind::network ? figures.bandwidth : figures.usable);
  }
  if (nodes_ > 1)
    for (const NodeId nic : topology.nodes_of_kind(NodeKind::nic))
      if (holds(nic)) ends_.push_back({nic, port_rate(topology, nic)});
  if (nodes_ > 1 && ends_.empty())
    for (const NodeId rank : ranks_) ends_.push_back({rank, port_rate(topology, rank)});
  const bool reaches =
      std::any_of(ends_.begin(), ends_.end(), [](const End& end) { return end.rate > 0; });
  if (nodes_ > 1 && !reaches)
    throw InputError("NCCL's formula finds no nic by which the ranks' nodes reach each other",
                     "join nics or gpus to the network, or run with --executor simulated");
  for (const NodeId rank : ranks_) {
    order_.push_back(nearest(rank, ranks_));
    ends_near_.push_back(nearest(rank, end_nodes()));
  }
  for (const End& end : ends_) ranks_near_.push_back(nearest(end.node, ranks_));
}

std::vector<NodeId> NcclNode::end_nodes() const {
  std::vector<NodeId> nodes;
  for (const End& end : ends_) nodes.push_back(end.node);
  return nodes;
}

// Only those that are reached without the network. Of equally near ones, those that follow come
// first, so that rings go on in order.
std::vector<std::size_t> NcclNode::nearest(NodeId from, std::span<const NodeId> candidates) {
  const auto self = static_cast<std::size_t>(std::find(candidates.begin(), candidates.end(), from) -
                                             candidates.begin());
  std::vector<std::tuple<int, int, std::size_t, std::size_t>> found;
  const std::vector<bool> reached = reached_within(topology_, links_, from);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!reached[candidates[i]]) continue;
    const Route& way = route(from, candidates[i]);
    const std::size_t ahead = (i + candidates.size() - self) % candidates.size();
    found.emplace_back(way.route_class, way.hops, ahead, i);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::size_t> order;
  for (const auto& candidate : found) order.push_back(std::get<3>(candidate));
  return order;
}

bool NcclNode::joined_by_nvlink() {
  std::vector<bool> joined(ranks_.size());
  std::vector<std::size_t> next = {0};
  joined[0] = true;
  std::size_t count = 1;
  while (!next.empty()) {
    const std::size_t rank = next.back();
    next.pop_back();
    for (const std::size_t other : order_[rank]) {
      if (joined[other] || route(ranks_[rank], ranks_[other]).route_class > 0) continue;
      joined[other] = true;
      ++count;
      next.push_back(other);
    }
  }
  return count == ranks_.size();
}

bool NcclNode::ends_are_near() {
  for (std::size_t end = 0; end < ends_.size(); ++end) {
    if (ranks_near_[end].empty()) continue;
    const Route& way = route(ranks_[ranks_near_[end].front()], ends_[end].node);
    if (path_level(topology_, way.links) > PeerLevel::pxb) return false;
  }
  return true;
}

double NcclNode::rate(NodeId from, NodeId to) {
  double least = kUnlimited;
  for (const ResourceUse& use : route(from, to).uses)
    least = std::min(least, capacities_[use.resource] / use.coefficient);
  return least;
}

double NcclNode::gpu_rate(NodeId rank) {
  double sum = 0;
  for (const Link& link : topology_.links())
    if (link.from == rank && (link.kind == LinkKind::nvlink || link.kind == LinkKind::xgmi))
      sum += gigabytes_per_second(link.usable);
  if (sum > 0) return sum;
  double most = 0;
  for (const NodeId other : ranks_)
    if (other != rank) most = std::max(most, rate(rank, other));
  return most;
}

double NcclNode::network_rate() {
  std::vector<bool> near(ends_.size());
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    const auto distance = [&](std::size_t end) {
      const Route& way = route(ranks_[rank], ends_[end].node);
      return std::pair(way.route_class, way.hops);
    };
    for (const std::size_t end : ends_near_[rank]) {
      if (distance(end) != distance(ends_near_[rank].front())) break;
      near[end] = true;
    }
  }
  double sum = 0;
  for (std::size_t end = 0; end < ends_.size(); ++end)
    if (near[end]) sum += ends_[end].rate;
  return sum;
}

NcclNode::Left NcclNode::whole() const {
  Left left{capacities_, {}, {}};
  for (const End& end : ends_) left.in.push_back(end.rate);
  left.out = left.in;
  return left;
}

bool NcclNode::take(Left& left, const Route& route, double speed) const {
  for (const ResourceUse& use : route.uses)
    if (left.resources[use.resource] + kLostToRounding < use.coefficient * speed) return false;
  give(left, route, -speed);
  return true;
}

void NcclNode::give(Left& left, const Route& route, double speed) const {
  for (const ResourceUse& use : route.uses) left.resources[use.resource] += use.coefficient * speed;
}

// By the nearest end that has room, or back to where the ring began.
bool NcclNode::leave(Walk& walk, std::size_t at) {
  if (ends_.empty()) return take(walk.left, route(ranks_[at], ranks_[walk.start]), walk.speed);
  for (const std::size_t end : ends_near_[at]) {
    if (walk.left.out[end] + kLostToRounding < walk.speed) continue;
    if (!take(walk.left, route(ranks_[at], ends_[end].node), walk.speed)) continue;
    walk.left.out[end] -= walk.speed;
    return true;
  }
  return false;
}

bool NcclNode::walk_on(Walk& walk, std::size_t at, std::size_t placed) {
  if (placed == ranks_.size()) return leave(walk, at);
  for (const std::size_t next : order_[at]) {
    if (walk.passed[next] || --walk.steps < 0) continue;
    const Route& way = route(ranks_[at], ranks_[next]);
    if (!take(walk.left, way, walk.speed)) continue;
    walk.passed[next] = true;
    if (walk_on(walk, next, placed + 1)) return true;
    walk.passed[next] = false;
    give(walk.left, way, walk.speed);
  }
  return false;
}

bool NcclNode::lay_from(Left& left, std::size_t start, double speed) {
  Walk walk{left, speed, start, kMostChannelSteps, std::vector<bool>(ranks_.size())};
  walk.passed[start] = true;
  return walk_on(walk, start, 1);
}

// Channel c begins at rank c, or comes by end c to the rank beside it; else by the ends after it.
bool NcclNode::lay(Left& left, std::size_t channel, double speed) {
  if (ends_.empty()) return lay_from(left, channel % ranks_.size(), speed);
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const std::size_t end = (channel + i) % ends_.size();
    if (left.in[end] + kLostToRounding < speed) continue;
    for (const std::size_t start : ranks_near_[end]) {
      const Route& way = route(ends_[end].node, ranks_[start]);
      if (!take(left, way, speed)) continue;
      left.in[end] -= speed;
      if (lay_from(left, start, speed)) return true;
      left.in[end] += speed;
      give(left, way, speed);
    }
  }
  return false;
}

int NcclNode::lay_rings(double speed, int most) {
  Left left = whole();
  int channels = 0;
  while (channels < most && lay(left, static_cast<std::size_t>(channels), speed)) ++channels;
  return channels;
}

double NcclNode::all_pairs_rate() {
  std::vector<double> load(capacities_.size());
  for (const NodeId from : ranks_)
    for (const NodeId to : ranks_)
      for (const ResourceUse& use : route(from, to).uses) load[use.resource] += use.coefficient;
  double rate = kUnlimited;
  for (std::size_t i = 0; i < load.size(); ++i)
    if (load[i] > 0) rate = std::min(rate, capacities_[i] / load[i]);
  return rate;
}

}  // namespace syncsim
