#include "sim/analysis/latency_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

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
  return query.ranks.size() <= kMostRanksCut || rank < 2 ||
         static_cast<int>(rank) == query.collective.root;
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

std::string name_of(const BoundQuery& query, std::size_t rank) {
  return fmt::format("rank {} ({})", rank, query.topology.nodes()[query.ranks[rank]].id);
}

}  // namespace

LowerBound latency_bound(const BoundQuery& query) {
  LowerBound best{0, "latency", "nothing has to move"};
  if (query.ranks.size() < 2 || query.collective.bytes.count == 0) return best;
  const Graph graph = build_graph(query.topology);
  const std::vector<std::set<std::size_t>> needed = needs(query);
  std::int64_t worst = -1;
  std::pair<std::size_t, std::size_t> way;
  for (std::size_t from = 0; from < needed.size(); ++from) {
    if (needed[from].empty()) continue;
    const auto latencies = latencies_from(graph, query.topology, query.ranks[from]);
    for (const std::size_t to : needed[from]) {
      const std::int64_t latency = latencies[query.ranks[to]];
      if (to == from || latency == kFar || latency <= worst) continue;
      worst = latency;
      way = {from, to};
    }
  }
  if (worst < 0) return best;
  best.seconds = seconds(Time{worst + query.overhead.ps});
  best.binds =
      fmt::format("the way from {} to {}", name_of(query, way.first), name_of(query, way.second));
  return best;
}

}  // namespace syncsim
