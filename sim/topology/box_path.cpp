#include "sim/topology/box_path.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "sim/topology/cycles.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMostPathSteps = 20'000;
constexpr int kMostWays = 500;

}  // namespace

BoxPath::BoxPath(const Topology& topology, const LinksOut& links, Router& router,
                 const std::vector<NodeId>& ranks)
    : router_(router), ranks_(ranks), cables_(ranks.size() * ranks.size()) {
  std::map<NodeId, int> index_of;
  for (const NodeId node : ranks) index_of.emplace(node, static_cast<int>(index_of.size()));
  for (const auto& [node, from] : index_of)
    for (const LinkId id : links.of(node)) {
      const Link& link = topology.links()[id];
      const auto to = index_of.find(link.to);
      if (to != index_of.end() && is_direct(topology, link))
        cable(from, to->second).bandwidth += link.bandwidth.bytes_per_second;
    }
}

bool BoxPath::is_even_mesh() const {
  const auto ranks = static_cast<int>(ranks_.size());
  for (int a = 0; a < ranks; ++a)
    for (int b = 0; b < ranks; ++b)
      if (a != b && (cable(a, b).bandwidth <= 0 || cable(a, b).bandwidth != cable(0, 1).bandwidth))
        return false;
  return ranks > 1;
}

std::vector<int> BoxPath::find(int from, int to) {
  Path path = over_cables(from, to);
  if (path.empty()) path = over_routes(from, to);
  for (std::size_t i = 0; i + 1 < path.size(); ++i) ++cable(path[i], path[i + 1]).ways;
  return path;
}

// A way is a cycle that passes an end more, 0, between `to` and `from`. Empty when there is none.
BoxPath::Path BoxPath::over_cables(int from, int to) const {
  const auto ranks = static_cast<int>(ranks_.size());
  Path best;
  if (ranks >= kMostMatrixRanks) return best;
  CableMatrix joined(ranks + 1);
  for (int a = 0; a < ranks; ++a)
    for (int b = 0; b < a; ++b)
      if (cable(a, b).bandwidth > 0 && cable(b, a).bandwidth > 0) joined.set(a + 1, b + 1, 1);
  joined.set(0, from + 1, 1);
  joined.set(0, to + 1, 1);
  std::pair<double, double> least;
  int ways = 0;
  search_cycles(neighbours(joined), kMostPathSteps, [&](const Cycle& cycle) {
    Path path;
    for (std::size_t i = 1; i < cycle.size(); ++i) path.push_back(cycle[i] - 1);
    if (path.front() != from) std::reverse(path.begin(), path.end());
    std::pair<double, double> load;  // the most, in all
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const Cable& next = cable(path[i], path[i + 1]);
      const double here = (next.ways + 1) / next.bandwidth;
      load = {std::max(load.first, here), load.second + here};
    }
    if (best.empty() || load < least) {
      best = std::move(path);
      least = load;
    }
    return ++ways < kMostWays;
  });
  return best;
}

BoxPath::Path BoxPath::over_routes(int from, int to) {
  const auto ranks = static_cast<int>(ranks_.size());
  Path path{from};
  Path left;
  for (int step = 1; step < ranks; ++step)
    if (const int rank = (from + step) % ranks; rank != to) left.push_back(rank);
  while (!left.empty()) {
    const int here = path.back();
    const auto distance = [&](int rank) {
      const Route& route = router_.route(ranks_[static_cast<std::size_t>(here)],
                                         ranks_[static_cast<std::size_t>(rank)]);
      return std::tuple(route.route_class, route.hops, (rank - here + ranks) % ranks);
    };
    const auto nearest = std::min_element(left.begin(), left.end(),
                                          [&](int a, int b) { return distance(a) < distance(b); });
    path.push_back(*nearest);
    left.erase(nearest);
  }
  path.push_back(to);
  return path;
}

}  // namespace syncsim
