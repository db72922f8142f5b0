#include "sim/topology/route_ring.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "sim/topology/boxes.h"
#include "sim/topology/resources.h"
#include "sim/topology/routing.h"

namespace syncsim {
namespace {

// How many ranks each box holds by rule 1; all of them where it does not apply.
std::size_t ranks_of_a_box(const Topology& topology, std::span<const NodeId> ranks) {
  const std::vector<Place> places = places_of(topology);
  const auto leaves_box = [&](NodeId rank) { return places[rank].box != places[ranks[0]].box; };
  const auto size = static_cast<std::size_t>(std::find_if(ranks.begin(), ranks.end(), leaves_box) -
                                             ranks.begin());
  std::vector<std::uint32_t> boxes;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const Place& place = places[ranks[i]];
    if (i % size == 0) boxes.push_back(place.box);
    if (place.box != boxes.back() || place.number != places[ranks[i % size]].number)
      return ranks.size();
  }
  std::sort(boxes.begin(), boxes.end());
  const bool distinct = std::adjacent_find(boxes.begin(), boxes.end()) == boxes.end();
  return distinct && ranks.size() % size == 0 ? size : ranks.size();
}

std::vector<int> nearest_neighbours(const Topology& topology, std::span<const NodeId> ranks) {
  const Resources resources(topology, Rates::line);
  Router router(topology, resources);
  std::vector<int> order(ranks.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t visited = 1; visited + 1 < order.size(); ++visited) {
    const NodeId here = ranks[static_cast<std::size_t>(order[visited - 1])];
    const auto distance = [&](int rank) {
      const Route& route = router.route(here, ranks[static_cast<std::size_t>(rank)]);
      return std::tuple(route.route_class, route.hops, rank);
    };
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(visited);
    const auto nearest = std::min_element(first, order.end(),
                                          [&](int a, int b) { return distance(a) < distance(b); });
    std::iter_swap(first, nearest);
  }
  return order;
}

}  // namespace

std::vector<int> order_over_routes(const Topology& topology, std::span<const NodeId> ranks) {
  const std::size_t size = ranks_of_a_box(topology, ranks);
  const std::vector<int> inside = nearest_neighbours(topology, ranks.first(size));
  std::vector<int> order;
  for (std::size_t box = 0; box < ranks.size(); box += size)
    for (const int rank : inside) order.push_back(static_cast<int>(box) + rank);
  return order;
}

}  // namespace syncsim
