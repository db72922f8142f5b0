#include "sim/analysis/latency_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <limits>
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

// The ranks that hold data which others need, or that need what others hold; of many one.
std::vector<std::size_t> concerned(const BoundQuery& query, Who who) {
  if (who == Who::root) return {static_cast<std::size_t>(query.collective.root)};
  const std::vector<std::int64_t> parts = query.collective.part_boundaries();
  std::vector<std::size_t> result;
  for (std::size_t rank = 0; rank < query.ranks.size(); ++rank)
    if (who == Who::all || parts[rank + 1] > parts[rank]) result.push_back(rank);
  return result;
}

std::string name_of(const BoundQuery& query, std::size_t rank) {
  return fmt::format("rank {} ({})", rank, query.topology.nodes()[query.ranks[rank]].id);
}

}  // namespace

LowerBound latency_bound(const BoundQuery& query) {
  LowerBound best{0, "latency", "nothing has to move"};
  if (query.ranks.size() < 2 || query.collective.bytes.count == 0) return best;
  const CollectiveRow& collective = row(query.collective.kind);
  const Graph graph = build_graph(query.topology);
  const std::vector<std::size_t> needing = concerned(query, collective.holders);
  std::vector<std::size_t> holding = concerned(query, collective.contributors);
  if (holding.size() > kMostRanksCut) holding.resize(2);
  std::int64_t worst = -1;
  std::pair<std::size_t, std::size_t> way;
  for (const std::size_t from : holding) {
    const auto latencies = latencies_from(graph, query.topology, query.ranks[from]);
    for (const std::size_t to : needing) {
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
