#include "strategies/packing/rank_graph.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

#include "sim/topology/boxes.h"
#include "strategies/index.h"

namespace syncsim::strategy {
namespace {

constexpr int kMostTurns = 16;
constexpr int kMostNodesJoined = 256;
constexpr int kMostJoinedAcross = 64;  // boxes
constexpr int kNearSteps = 8;          // to either side, of one rank and of 8

std::vector<NodeId> ranks_and_relays(std::span<const NodeId> ranks,
                                     std::span<const NodeId> relays) {
  std::vector<NodeId> nodes(ranks.begin(), ranks.end());
  nodes.insert(nodes.end(), relays.begin(), relays.end());
  return nodes;
}

// Where a node is, among those that are joined.
struct Seat {
  std::size_t box = 0;
  std::size_t number = 0;  // in the box
  std::size_t in_box = 0;
};

std::vector<Seat> seats_of(const Topology& topology, std::span<const NodeId> nodes) {
  const std::vector<Place> places = places_of(topology);
  const auto boxes = ranks_by(nodes, [&](NodeId node) { return places[node].box; });
  std::vector<Seat> seats(nodes.size());
  for (std::size_t box = 0; box < boxes.size(); ++box)
    for (std::size_t number = 0; number < boxes[box].size(); ++number)
      seats[index(boxes[box][number])] = {box, number, boxes[box].size()};
  return seats;
}

// In one box, or with the same number; what the smaller box lacks goes around in it.
bool near(const Seat& a, const Seat& b) {
  const std::size_t rails = std::min(a.in_box, b.in_box);
  return a.box == b.box || a.number % rails == b.number % rails;
}

}  // namespace

// Asks a machine for its routes, as long as the graph is built.
class RankGraph::Survey {
 public:
  Survey(const Topology& topology, std::span<const NodeId> ranks, std::span<const NodeId> relays,
         RankGraph& graph)
      : topology_(topology),
        nodes_(ranks_and_relays(ranks, relays)),
        takes_data_(topology.nodes().size(), false),
        resources_(topology, Rates::line),
        routers_{Router(topology, resources_, 0, Plane::all),
                 Router(topology, resources_, 0, Plane::host)},
        graph_(graph) {
    for (const NodeId node : nodes_) {
      const bool is_rank = graph_.branches_.size() < ranks.size();
      takes_data_[node] = is_rank || topology.nodes()[node].kind == NodeKind::gpu;
      graph_.branches_.push_back(takes_data_[node]);
    }
    has_host_ = topology.routing() == RoutingPolicy{} && reaches_all(Plane::host);
    for (const Resource& resource : resources_.all())
      graph_.capacities_.push_back(resource.capacity);
  }

  void run() {
    lay_arcs();
    graph_.turns_ = turns();
    for (int turn = 0; turn < graph_.turns_; ++turn)
      for (const Arc& arc : graph_.arcs_) add_ways(arc, turn);
    drop_arcs_without_ways();
    find_direct_links();
    drop_twins();
  }

 private:
  Router& router(Plane plane) { return routers_[static_cast<std::size_t>(plane)]; }

  bool reaches_all(Plane plane) {
    return std::all_of(nodes_.begin(), nodes_.end(),
                       [&](NodeId node) { return router(plane).reachable(nodes_.front(), node); });
  }

  Route find(int from, int to, Plane plane, int channel) {
    return router(plane).find(nodes_[index(from)], nodes_[index(to)],
                              static_cast<std::uint32_t>(channel));
  }

  // By node, those that an arc leads to.
  std::vector<std::set<int>> neighbours() const {
    const int count = static_cast<int>(nodes_.size());
    std::vector<std::set<int>> result(nodes_.size());
    const auto join = [&](int a, int b) {
      if (a == b) return;
      result[index(a)].insert(b);
      result[index(b)].insert(a);
    };
    if (count <= kMostNodesJoined) {
      const std::vector<Seat> seats = seats_of(topology_, nodes_);
      for (int a = 0; a < count; ++a)
        for (int b = a + 1; b < count; ++b)
          if (count <= kMostJoinedAcross || near(seats[index(a)], seats[index(b)])) join(a, b);
      return result;
    }
    constexpr int kBox = 8;
    for (int rank = 0; rank < count; ++rank)
      for (int steps = 1; steps <= kNearSteps; ++steps) {
        join(rank, (rank + steps) % count);
        join(rank, (rank + steps * kBox) % count);
      }
    std::vector<int> number(takes_data_.size(), -1);
    for (int node = 0; node < count; ++node) number[nodes_[index(node)]] = node;
    for (const Link& link : topology_.links())
      if (number[link.from] >= 0 && number[link.to] >= 0) join(number[link.from], number[link.to]);
    return result;
  }

  void lay_arcs() {
    const std::vector<std::set<int>> near = neighbours();
    for (int from = 0; from < static_cast<int>(near.size()); ++from) {
      graph_.first_.push_back(static_cast<ArcId>(graph_.arcs_.size()));
      for (const int to : near[index(from)]) graph_.arcs_.push_back({from, to, 0});
    }
    graph_.first_.push_back(static_cast<ArcId>(graph_.arcs_.size()));
    std::vector<ArcId> next(graph_.first_.begin(), graph_.first_.end() - 1);
    for (Arc& arc : graph_.arcs_) arc.back = next[index(arc.to)]++;  // both sides ascend
  }

  // The least number after which a sample of routes repeats.
  int turns() {
    constexpr int kSampled = 64;
    const std::size_t stride = std::max<std::size_t>(1, graph_.arcs_.size() / kSampled);
    int turns = 1;
    for (std::size_t id = 0; id < graph_.arcs_.size() && turns < kMostTurns; id += stride)
      turns = std::min(std::lcm(turns, period(graph_.arcs_[id])), kMostTurns);
    return turns;
  }

  int period(const Arc& arc) {
    std::vector<std::vector<ResourceUse>> uses;
    for (int channel = 0; channel < 2 * kMostTurns; ++channel)
      uses.push_back(find(arc.from, arc.to, Plane::all, channel).uses);
    for (std::size_t period = 1; period < index(kMostTurns); ++period)
      if (std::equal(uses.begin() + static_cast<std::ptrdiff_t>(period), uses.end(), uses.begin()))
        return static_cast<int>(period);
    return kMostTurns;
  }

  bool passes_a_taker(const Route& route, const Arc& arc) const {
    return std::any_of(route.links.begin(), route.links.end(), [&](LinkId id) {
      const NodeId node = topology_.links()[id].to;
      return node != nodes_[index(arc.to)] && takes_data_[node];
    });
  }

  // An arc that avoids the other ranks in one direction alone is kept in both: sums take the one
  // and results the other.
  bool passes_takers_both_ways(const Arc& arc, const Route& there, int turn) {
    if (nodes_.size() > kMostNodesJoined || !passes_a_taker(there, arc)) return false;
    const Arc back{arc.to, arc.from, 0};
    return passes_a_taker(find(arc.to, arc.from, Plane::all, turn), back);
  }

  void add_ways(const Arc& arc, int turn) {
    const Route all = find(arc.from, arc.to, Plane::all, turn);
    if (turn == 0) direct_rates_.push_back(all.hops == 1 ? all.bottleneck : 0);
    const bool leaves_host_idle = has_host_ && all.route_class == 0;
    add_way(passes_takers_both_ways(arc, all, turn) ? Route{} : all);
    add_way(leaves_host_idle ? find(arc.from, arc.to, Plane::host, turn) : Route{});
  }

  void add_way(const Route& route) {
    graph_.pieces_.push_back({static_cast<std::uint32_t>(graph_.uses_.size()),
                              static_cast<std::uint32_t>(route.uses.size())});
    graph_.uses_.insert(graph_.uses_.end(), route.uses.begin(), route.uses.end());
  }

  // Nothing, either way, on any turn.
  void drop_arcs_without_ways() {
    std::vector<bool> leads(graph_.arcs_.size(), false);
    for (std::size_t piece = 0; piece < graph_.pieces_.size(); ++piece)
      if (graph_.pieces_[piece].count > 0) {
        const std::size_t arc = piece / kPlanes.size() % leads.size();
        leads[arc] = leads[graph_.arcs_[arc].back] = true;
      }
    keep_if(leads, kPlanes.size(), graph_.pieces_);
    keep_if(leads, 1, direct_rates_);
    std::vector<ArcId> number(leads.size(), 0);  // of those that stay
    for (std::size_t arc = 1; arc < leads.size(); ++arc)
      number[arc] = number[arc - 1] + (leads[arc - 1] ? 1 : 0);
    number.push_back(number.empty() ? 0 : number.back() + (leads.back() ? 1 : 0));
    for (Arc& arc : graph_.arcs_) arc.back = number[arc.back];
    for (ArcId& first : graph_.first_) first = number[first];
    keep_if(leads, 1, graph_.arcs_);
  }

  // Of things that are `each` to an arc, over and over.
  template <class Things>
  static void keep_if(const std::vector<bool>& kept, std::size_t each, Things& things) {
    Things rest;
    for (std::size_t i = 0; i < things.size(); ++i)
      if (kept[i / each % kept.size()]) rest.push_back(things[i]);
    things = std::move(rest);
  }

  void find_direct_links() {
    for (std::size_t id = 0; id < graph_.arcs_.size(); ++id) {
      const Arc& arc = graph_.arcs_[id];
      const double rate = std::min(direct_rates_[id], direct_rates_[arc.back]);
      if (arc.from < arc.to && rate > 0) graph_.direct_.push_back({{arc.from, arc.to}, rate});
    }
  }

  // Resources that the same ways use, each as full as the other (a link to every plane of a
  // switch): one of them stands for all.
  void drop_twins() {
    std::vector<std::uint64_t> marks(graph_.capacities_.size(), 0);
    each_use([&](std::uint64_t piece, const ResourceUse& use) {
      // As a float: quotients that should be equal may differ in their last bit.
      const auto share = static_cast<float>(use.coefficient / graph_.capacities_[use.resource]);
      marks[use.resource] += mixed(mixed(piece) ^ std::bit_cast<std::uint32_t>(share));
    });
    std::map<std::uint64_t, ResourceId> first;
    for (ResourceId id = 0; id < marks.size(); ++id) first.try_emplace(marks[id], id);
    std::vector<ResourceUse> kept;
    for (Piece& piece : graph_.pieces_) {
      const auto begin = static_cast<std::uint32_t>(kept.size());
      for (std::uint32_t i = 0; i < piece.count; ++i) {
        const ResourceUse& use = graph_.uses_[piece.begin + i];
        if (first.at(marks[use.resource]) == use.resource) kept.push_back(use);
      }
      piece = {begin, static_cast<std::uint32_t>(kept.size()) - begin};
    }
    graph_.uses_ = std::move(kept);
  }

  template <class See>
  void each_use(See&& see) const {
    for (std::size_t piece = 0; piece < graph_.pieces_.size(); ++piece)
      for (std::uint32_t i = 0; i < graph_.pieces_[piece].count; ++i)
        see(piece, graph_.uses_[graph_.pieces_[piece].begin + i]);
  }

  // SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  static std::uint64_t mixed(std::uint64_t bits) {
    bits += 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
  }

  const Topology& topology_;
  std::vector<NodeId> nodes_;     // ranks, then relays
  std::vector<bool> takes_data_;  // by the machine's nodes: none had better pass them
  Resources resources_;
  std::array<Router, 2> routers_;
  RankGraph& graph_;
  bool has_host_ = false;
  std::vector<double> direct_rates_;  // by arc; 0 where others lie between
};

RankGraph::RankGraph(const Topology& topology, std::span<const NodeId> ranks,
                     std::span<const NodeId> relays)
    : ranks_(static_cast<int>(ranks.size())) {
  Survey(topology, ranks, relays, *this).run();
}

std::span<const RankGraph::Arc> RankGraph::arcs_from(int node) const {
  const auto place = static_cast<std::size_t>(node);
  return std::span(arcs_).subspan(first_[place], first_[place + 1] - first_[place]);
}

}  // namespace syncsim::strategy
