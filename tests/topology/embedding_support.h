#pragma once
// Rings of small machines, and what holds for them.

#include <doctest/doctest.h>
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>
#include "sim/topology/embedding.h"
#include "tests/support/machines.h"

namespace syncsim::testing::embedding {

using testing::MeshEdge;
using Order = std::vector<int>;

inline std::vector<Ring> rings_of(const Topology::Parts& parts) {
  const Topology topology(parts);
  return find_rings(topology, topology.ranks());
}

inline std::vector<Ring> rings_of(const Topology::Parts& parts, const std::vector<NodeId>& ranks) {
  return find_rings(Topology(parts), ranks);
}

inline Order ascending(int ranks) {
  Order order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

inline int sum(const std::vector<Ring>& rings) {
  int result = 0;
  for (const Ring& ring : rings) result += ring.multiplicity;
  return result;
}

inline std::vector<std::pair<int, int>> hops(const Ring& ring) {
  std::vector<std::pair<int, int>> result;
  for (std::size_t i = 0; i < ring.order.size(); ++i)
    result.push_back(std::minmax({ring.order[i], ring.order[(i + 1) % ring.order.size()]}));
  return result;
}

// Every rank once a ring, canonical, sorted, and no more rings over a cable bundle than cables.
inline void check_packing(const std::vector<Ring>& rings, int ranks,
                          const std::vector<MeshEdge>& edges) {
  std::map<std::pair<int, int>, int> left;
  for (const MeshEdge& edge : edges)
    left[{static_cast<int>(edge.a), static_cast<int>(edge.b)}] = edge.count;
  for (const Ring& ring : rings) {
    Order sorted = ring.order;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == ascending(ranks));
    CHECK(ring.order[0] == 0);
    CHECK(ring.order[1] < ring.order.back());
    CHECK(ring.multiplicity >= 1);
    for (const auto& pair : hops(ring)) left[pair] -= ring.multiplicity;
  }
  for (const auto& [pair, units] : left) CHECK(units >= 0);
  CHECK(std::is_sorted(rings.begin(), rings.end(), [](const Ring& a, const Ring& b) {
    return std::pair(-a.multiplicity, a.order) < std::pair(-b.multiplicity, b.order);
  }));
}

inline std::vector<MeshEdge> full_edges(int ranks, int count) {
  std::vector<MeshEdge> edges;
  for (NodeId a = 0; a < static_cast<NodeId>(ranks); ++a)
    for (NodeId b = a + 1; b < static_cast<NodeId>(ranks); ++b) edges.push_back({a, b, count});
  return edges;
}

inline std::vector<MeshEdge> single_edges() {
  std::vector<MeshEdge> edges = testing::hybrid_cube_mesh();
  for (MeshEdge& edge : edges) edge.count = 1;
  return edges;
}

inline std::vector<MeshEdge> ring_edges(const std::vector<NodeId>& order, int count) {
  std::vector<MeshEdge> edges;
  for (std::size_t i = 0; i < order.size(); ++i)
    edges.push_back({order[i], order[(i + 1) % order.size()], count});
  return edges;
}

inline void set_gigabytes(Topology::Parts& parts, LinkId link, double gigabytes) {
  parts.links[link].bandwidth = parts.links[link].usable = testing::gigabytes(gigabytes);
}

// Both directions.
inline void set_link_gigabytes(Topology::Parts& parts, NodeId a, NodeId b, double gigabytes) {
  for (LinkId link = 0; link < parts.links.size(); ++link)
    if (std::minmax(parts.links[link].from, parts.links[link].to) == std::minmax(a, b))
      set_gigabytes(parts, link, gigabytes);
}

// Of all rings over the direct links, where a link is shared evenly and data split by multiplicity.
inline double gigabytes_of(const std::vector<Ring>& rings, const Topology::Parts& parts) {
  std::map<std::pair<int, int>, double> shares;
  for (const Link& link : parts.links) {
    const std::pair<int, int> pair =
        std::minmax(static_cast<int>(link.from), static_cast<int>(link.to));
    const double figure = link.bandwidth.bytes_per_second / 1e9;
    shares[pair] = shares.contains(pair) ? std::min(shares[pair], figure) : figure;
  }
  std::map<std::pair<int, int>, int> rings_over;
  for (const Ring& ring : rings)
    for (const auto& pair : hops(ring)) ++rings_over[pair];
  double pace = std::numeric_limits<double>::infinity();
  for (const Ring& ring : rings)
    for (const auto& pair : hops(ring))
      pace = std::min(pace, shares.at(pair) / rings_over.at(pair) / ring.multiplicity);
  return sum(rings) * pace;
}

}  // namespace syncsim::testing::embedding
