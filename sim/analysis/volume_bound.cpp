#include "sim/analysis/volume_bound.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <numeric>
#include <utility>

namespace syncsim {
namespace {

using DistanceGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                          boost::property<boost::edge_index_t, std::size_t>>;

constexpr double kGrowth = 0.5;              // of the length of the fullest arc, a round
constexpr std::size_t kMostWork = 1u << 24;  // arcs looked at in all rounds
constexpr std::size_t kMostRounds = 60;

// What rank `from` has for others.
struct Order {
  std::size_t to = 0;
  double bytes = 0;
};

std::vector<std::vector<Order>> orders_of(const Collective& collective) {
  std::vector<std::vector<Order>> orders(static_cast<std::size_t>(collective.ranks));
  const std::vector<std::int64_t> offsets = collective.block_boundaries();
  for (std::size_t block = 0; block + 1 < offsets.size(); ++block) {
    const auto number = static_cast<std::int64_t>(block);
    const auto from = static_cast<std::size_t>(collective.contributor(number));
    const auto to = static_cast<std::size_t>(collective.holder(number));
    if (from != to)
      orders[from].push_back({to, static_cast<double>(offsets[block + 1] - offsets[block])});
  }
  return orders;
}

class Lengths {
 public:
  explicit Lengths(const CutGraph& graph) : graph_(graph), distances_(graph.nodes) {
    for (std::size_t arc = 0; arc < graph.arcs.size(); ++arc) {
      boost::add_edge(graph.arcs[arc].from, graph.arcs[arc].to, arc, distances_);
      lengths_.push_back(1 / capacity(arc));
    }
  }

  // One bound, in seconds; the lengths then grow.
  double round(const std::vector<std::vector<Order>>& orders) {
    std::vector<double> loads(lengths_.size(), 0);
    double volume = 0;
    for (std::size_t from = 0; from < orders.size(); ++from)
      if (!orders[from].empty()) volume += send(from, orders[from], loads);
    double room = 0;
    double fullest = 0;
    for (std::size_t arc = 0; arc < loads.size(); ++arc) {
      room += capacity(arc) * lengths_[arc];
      fullest = std::max(fullest, loads[arc] / capacity(arc));
    }
    for (std::size_t arc = 0; arc < loads.size() && fullest > 0; ++arc)
      lengths_[arc] *= 1 + kGrowth * loads[arc] / capacity(arc) / fullest;
    return volume / room;
  }

 private:
  double capacity(std::size_t arc) const {
    return static_cast<double>(graph_.arcs[arc].capacity) * graph_.unit;
  }

  // The volume of a rank's orders; adds them to the arcs of the shortest ways.
  double send(std::size_t from, const std::vector<Order>& orders, std::vector<double>& loads) {
    std::vector<double> distance(graph_.nodes);
    std::vector<std::size_t> before(graph_.nodes);
    const auto index = boost::get(boost::vertex_index, distances_);
    boost::dijkstra_shortest_paths(
        distances_, from,
        boost::predecessor_map(boost::make_iterator_property_map(before.begin(), index))
            .distance_map(boost::make_iterator_property_map(distance.begin(), index))
            .weight_map(boost::make_iterator_property_map(
                lengths_.begin(), boost::get(boost::edge_index, distances_))));
    std::vector<double> passing(graph_.nodes, 0);
    double volume = 0;
    for (const Order& order : orders) {
      passing[order.to] += order.bytes;
      volume += order.bytes * distance[order.to];
    }
    std::vector<std::size_t> far_first(graph_.nodes);
    std::iota(far_first.begin(), far_first.end(), std::size_t{0});
    std::stable_sort(far_first.begin(), far_first.end(),
                     [&](std::size_t a, std::size_t b) { return distance[a] > distance[b]; });
    for (const std::size_t node : far_first) {
      if (node == from || passing[node] == 0) continue;
      loads[arc_between(before[node], node)] += passing[node];
      passing[before[node]] += passing[node];
    }
    return volume;
  }

  std::size_t arc_between(std::size_t from, std::size_t to) const {
    const auto found = std::lower_bound(
        graph_.arcs.begin(), graph_.arcs.end(), std::pair(from, to),
        [](const CutGraph::Arc& arc, const std::pair<std::size_t, std::size_t>& wanted) {
          return std::pair<std::size_t, std::size_t>(arc.from, arc.to) < wanted;
        });
    return static_cast<std::size_t>(found - graph_.arcs.begin());
  }

  const CutGraph& graph_;
  DistanceGraph distances_;
  std::vector<double> lengths_;  // by arc
};

}  // namespace

LowerBound volume_bound(const BoundQuery& query, const CutGraph& graph) {
  const std::vector<std::vector<Order>> orders = orders_of(query.collective);
  Lengths lengths(graph);
  LowerBound best{0, "volume", "bytes times distance over all links"};
  const std::size_t rounds =
      std::clamp(kMostWork / (graph.ranks * (graph.arcs.size() + 1)), std::size_t{1}, kMostRounds);
  for (std::size_t i = 0; i < rounds; ++i)
    best.seconds = std::max(best.seconds, lengths.round(orders));
  return best;
}

}  // namespace syncsim
