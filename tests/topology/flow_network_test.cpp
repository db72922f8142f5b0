// Max-flow against all cuts and against its own.

#include "sim/topology/flow_network.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace syncsim::flow_network_test {
namespace {

struct Arc {
  std::size_t from;
  std::size_t to;
  std::int64_t capacity;
};

std::int64_t crossing(const std::vector<Arc>& arcs, const std::vector<bool>& inside) {
  std::int64_t sum = 0;
  for (const Arc& arc : arcs)
    if (inside[arc.from] && !inside[arc.to]) sum += arc.capacity;
  return sum;
}

// Over all sets with node 0 and without the last: Ford and Fulkerson's theorem.
std::int64_t least_cut(std::size_t nodes, const std::vector<Arc>& arcs) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t set = 1; set < (std::size_t{1} << (nodes - 1)); set += 2) {
    std::vector<bool> inside;
    for (std::size_t node = 0; node < nodes; ++node) inside.push_back((set >> node & 1) != 0);
    least = std::min(least, crossing(arcs, inside));
  }
  return least;
}

}  // namespace

TEST_CASE("the flow is the least of all cuts, and its own cut has that capacity") {
  std::mt19937 random(11);
  for (int i = 0; i < 200; ++i) {
    const std::size_t nodes = 2 + random() % 8;
    std::vector<Arc> arcs;
    FlowNetwork network(nodes);
    for (std::size_t arc = 0; arc < random() % 30; ++arc) {
      const std::size_t from = random() % nodes;
      const std::size_t to = random() % nodes;
      if (from == to) continue;
      arcs.push_back({from, to, static_cast<std::int64_t>(random() % 20)});
      network.add_arc(from, to, arcs.back().capacity);
    }
    const std::int64_t flow = network.max_flow(0, nodes - 1);
    CHECK(flow == least_cut(nodes, arcs));
    const std::vector<bool> inside = network.source_side();
    CHECK(inside[0]);
    CHECK(!inside[nodes - 1]);
    CHECK(crossing(arcs, inside) == flow);
  }
}

TEST_CASE("an arc's flow is within its capacity, and what enters a node leaves it") {
  FlowNetwork network(4);
  const auto wide = network.add_arc(0, 1, 9);
  const auto narrow = network.add_arc(1, 2, 4);
  const auto other = network.add_arc(1, 3, 3);
  const auto rest = network.add_arc(2, 3, 8);
  CHECK(network.max_flow(0, 3) == 7);
  CHECK(network.flow(wide) == 7);
  CHECK(network.flow(narrow) == 4);
  CHECK(network.flow(other) == 3);
  CHECK(network.flow(rest) == 4);
}

TEST_CASE("capacities can change between flows") {
  FlowNetwork network(3);
  const auto first = network.add_arc(0, 1, 5);
  network.add_arc(1, 2, 7);
  CHECK(network.max_flow(0, 2) == 5);
  network.set_capacity(first, 9);
  CHECK(network.max_flow(0, 2) == 7);
  CHECK(network.max_flow(2, 0) == 0);
}

}  // namespace syncsim::flow_network_test
