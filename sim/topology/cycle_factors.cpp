#include "sim/topology/cycle_factors.h"

#include <algorithm>
#include <optional>

#include "sim/topology/flow_network.h"

namespace syncsim {
namespace {

using Edges = std::vector<std::pair<int, int>>;

std::vector<std::vector<std::size_t>> edges_at_ranks(int ranks, const Edges& edges) {
  std::vector<std::vector<std::size_t>> result(place_of(ranks));
  for (std::size_t edge = 0; edge < edges.size(); ++edge)
    for (const int end : {edges[edge].first, edges[edge].second})
      result[place_of(end)].push_back(edge);
  return result;
}

// Two sides so that every edge joins one with the other, if there are such.
std::optional<std::vector<int>> sides_of(int ranks, const Edges& edges) {
  constexpr int kUnknown = -1;
  const auto edges_at = edges_at_ranks(ranks, edges);
  std::vector<int> side(place_of(ranks), kUnknown);
  for (int start = 0; start < ranks; ++start) {
    if (side[place_of(start)] != kUnknown) continue;
    side[place_of(start)] = 0;
    std::vector<int> open{start};
    while (!open.empty()) {
      const int rank = open.back();
      open.pop_back();
      for (const std::size_t edge : edges_at[place_of(rank)]) {
        const int other = edges[edge].first + edges[edge].second - rank;
        if (side[place_of(other)] == side[place_of(rank)]) return std::nullopt;
        if (side[place_of(other)] != kUnknown) continue;
        side[place_of(other)] = 1 - side[place_of(rank)];
        open.push_back(other);
      }
    }
  }
  return side;
}

// Which of the arcs, from sources to targets, give every source and every target `degree`; none
// when that cannot be.
std::vector<std::size_t> chosen_arcs(std::size_t sources, std::size_t targets, const Edges& arcs,
                                     int degree) {
  FlowNetwork network(sources + targets + 2);
  const std::size_t start = sources + targets;
  const std::size_t end = start + 1;
  for (const auto& [source, target] : arcs)
    network.add_arc(place_of(source), sources + place_of(target), 1);
  for (std::size_t source = 0; source < sources; ++source) network.add_arc(start, source, degree);
  for (std::size_t target = 0; target < targets; ++target)
    network.add_arc(sources + target, end, degree);
  const std::int64_t wanted = static_cast<std::int64_t>(sources) * degree;
  if (sources != targets || network.max_flow(start, end) < wanted) return {};
  std::vector<std::size_t> result;
  for (std::size_t arc = 0; arc < arcs.size(); ++arc)
    if (network.flow(arc) > 0) result.push_back(arc);
  return result;
}

struct Even {
  int factors = 0;
  std::vector<std::size_t> edges;  // 2 x factors at every rank
};

Even even_part(int ranks, const Edges& edges) {
  const auto edges_at = edges_at_ranks(ranks, edges);
  const auto [least, most] =
      std::minmax_element(edges_at.begin(), edges_at.end(),
                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
  Even result{static_cast<int>(least->size() / 2), {}};
  if (least->size() == most->size() && least->size() % 2 == 0) {
    for (std::size_t edge = 0; edge < edges.size(); ++edge) result.edges.push_back(edge);
    return result;
  }
  const auto side = sides_of(ranks, edges);
  if (!side) return {};
  std::vector<int> number;  // on its side
  std::size_t count[2] = {0, 0};
  for (const int of : *side) number.push_back(static_cast<int>(count[of]++));
  Edges arcs;
  for (auto [a, b] : edges) {
    if ((*side)[place_of(a)] == 1) std::swap(a, b);
    arcs.emplace_back(number[place_of(a)], number[place_of(b)]);
  }
  for (; result.factors > 0; --result.factors) {
    result.edges = chosen_arcs(count[0], count[1], arcs, 2 * result.factors);
    if (!result.edges.empty()) break;
  }
  return result;
}

// The edges with directions: trails from rank to rank until no edge goes on, which is where each
// began.
Edges directed(int ranks, const Edges& edges, const std::vector<std::size_t>& chosen) {
  Edges part;
  for (const std::size_t edge : chosen) part.push_back(edges[edge]);
  auto open = edges_at_ranks(ranks, part);
  std::vector<bool> passed(part.size());
  for (int start = 0; start < ranks; ++start)
    for (int rank = start; !open[place_of(rank)].empty();) {
      const std::size_t edge = open[place_of(rank)].back();
      open[place_of(rank)].pop_back();
      if (passed[edge]) continue;
      passed[edge] = true;
      if (part[edge].first != rank) std::swap(part[edge].first, part[edge].second);
      rank = part[edge].second;
    }
  return part;
}

}  // namespace

Factors factors_of(int ranks, const Edges& edges) {
  Even even = even_part(ranks, edges);
  Factors result{even.factors, std::vector<int>(edges.size(), kNoFactor)};
  Edges arcs = directed(ranks, edges, even.edges);
  for (int factor = 0; factor < even.factors; ++factor) {
    const std::vector<std::size_t> matching =
        chosen_arcs(place_of(ranks), place_of(ranks), arcs, 1);
    for (auto arc = matching.rbegin(); arc != matching.rend(); ++arc) {
      result.of_edge[even.edges[*arc]] = factor;
      const auto position = static_cast<std::ptrdiff_t>(*arc);
      arcs.erase(arcs.begin() + position);
      even.edges.erase(even.edges.begin() + position);
    }
  }
  return result;
}

}  // namespace syncsim
