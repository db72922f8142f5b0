#include "sim/analysis/latency_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "sim/analysis/bound_words.h"
#include "sim/topology/graph.h"

namespace syncsim {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;

// Of all paths, also those through gpus that hand nothing on: less than any route takes.
std::vector<std::int64_t> latencies_from(const Graph& graph, const Topology& topology,
                                         NodeId from) {
  std::vector<std::int64_t> result(topology.nodes().size(), kFar);
  const auto weight = boost::make_function_property_map<Graph::edge_descriptor>(
      [&](const Graph::edge_descriptor& edge) { return topology.links()[graph[edge]].latency.ps; });
  boost::dijkstra_shortest_paths(graph, from,
                                 boost::weight_map(weight)
                                     .distance_map(boost::make_iterator_property_map(
                                         result.begin(), boost::get(boost::vertex_index, graph)))
                                     .distance_inf(kFar));
  return result;
}

bool is_looked_at(const BoundQuery& query, std::size_t rank) {
  if (query.ranks.size() <= kMostRanksCut || rank < 2) return true;
  const auto last = std::max_element(query.starts.begin(), query.starts.end());
  const bool comes_last =
      !query.starts.empty() && static_cast<std::ptrdiff_t>(rank) == last - query.starts.begin();
  return comes_last || static_cast<int>(rank) == query.collective.root;
}

// By rank, the ranks that need what it holds; of those that are looked at.
std::vector<std::set<std::size_t>> needs(const BoundQuery& query) {
  const std::vector<std::int64_t> offsets = query.collective.block_boundaries();
  std::vector<std::size_t> all(query.ranks.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto ranks = [&](int rank) {
    return rank == Collective::kEveryRank ? all : std::vector{static_cast<std::size_t>(rank)};
  };
  std::vector<std::set<std::size_t>> result(query.ranks.size());
  std::set<std::pair<int, int>> seen;
  for (std::size_t block = 0; block + 1 < offsets.size(); ++block) {
    const auto number = static_cast<std::int64_t>(block);
    const std::pair way(query.collective.contributor(number), query.collective.holder(number));
    if (offsets[block] == offsets[block + 1] || !seen.insert(way).second) continue;
    for (const std::size_t from : ranks(way.first))
      if (is_looked_at(query, from))
        for (const std::size_t to : ranks(way.second)) result[from].insert(to);
  }
  return result;
}

// Of the last link to each late rank; 0 for the others.
std::vector<std::int64_t> least_into(const BoundQuery& query) {
  std::vector<std::int64_t> result(query.ranks.size(), 0);
  if (query.starts.empty()) return result;
  std::vector<std::int64_t> of_node(query.topology.nodes().size(), kFar);
  for (const Link& link : query.topology.links())
    of_node[link.to] = std::min(of_node[link.to], link.latency.ps);
  for (std::size_t rank = 0; rank < result.size(); ++rank)
    if (query.start_of(rank).ps > 0) result[rank] = of_node[query.ranks[rank]];
  return result;
}

}  // namespace

LowerBound latency_bound(const BoundQuery& query) {
  LowerBound best{0, "latency", "nothing has to move"};
  if (query.ranks.size() < 2 || query.collective.bytes.count == 0) return best;
  const Graph graph = build_graph(query.topology);
  const std::vector<std::set<std::size_t>> needed = needs(query);
  const std::vector<std::int64_t> into = least_into(query);
  std::int64_t worst = -1;
  std::pair<std::size_t, std::size_t> way;
  for (std::size_t from = 0; from < needed.size(); ++from) {
    if (needed[from].empty()) continue;
    const auto latencies = latencies_from(graph, query.topology, query.ranks[from]);
    for (const std::size_t to : needed[from]) {
      const std::int64_t latency = latencies[query.ranks[to]];
      if (to == from || latency == kFar) continue;
      const std::int64_t sent = query.start_of(from).ps + latency;
      const std::int64_t received = query.start_of(to).ps + into[to];
      if (std::max(sent, received) <= worst) continue;
      worst = std::max(sent, received);
      way = {from, to};
    }
  }
  if (worst < 0) return best;
  best.seconds = seconds(Time{worst + query.overhead.ps});
  best.binds = fmt::format("the way from {} to {}", rank_words(query, way.first),
                           rank_words(query, way.second));
  return best;
}

}  // namespace syncsim
