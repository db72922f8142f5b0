#include "sim/analysis/bounds.h"

#include <algorithm>
#include <utility>

#include "sim/analysis/bound_words.h"
#include "sim/analysis/cut_bound.h"
#include "sim/analysis/latency_bound.h"
#include "sim/analysis/pair_cut_bound.h"
#include "sim/analysis/partition_bound.h"
#include "sim/analysis/ports_bound.h"
#include "sim/analysis/relaying.h"
#include "sim/analysis/structure_bound.h"
#include "sim/analysis/volume_bound.h"

namespace syncsim {
namespace {

LowerBound partition_bound(const BoundQuery& query, const CutGraph& graph) {
  LowerBound best{0, "partition", "nothing has to move"};
  for (const Flow flow : {Flow::leaving, Flow::entering}) {
    const Partition partition = worst_partition(graph, flow);
    const double least =
        partition.factor() * static_cast<double>(query.collective.bytes.count) / graph.unit;
    if (least <= best.seconds) continue;
    best.seconds = least;
    best.binds = words_of(partition, graph.ranks, graph.unit, flow);
  }
  return best;
}

// Of what is known where all ranks are there at 0.
LowerBound from_first_start(const BoundQuery& query, LowerBound bound) {
  if (bound.seconds > 0) bound.seconds += seconds(query.first_start());
  return bound;
}

LowerBound late_start_bound(const BoundQuery& query) {
  LowerBound best{0, "late start", "no rank comes late"};
  for (std::size_t rank = 0; rank < query.ranks.size(); ++rank) {
    if (seconds(query.start_of(rank)) <= best.seconds) continue;
    best.seconds = seconds(query.start_of(rank));
    best.binds = rank_words(query, rank);
  }
  return best;
}

// Bounds that differ by rounding only count as equal.
constexpr double kEqualBounds = 1e-12;

std::vector<LowerBound> largest_first(std::vector<LowerBound> bounds) {
  std::vector<LowerBound> sorted;
  while (!bounds.empty()) {
    double largest = 0;
    for (const LowerBound& bound : bounds) largest = std::max(largest, bound.seconds);
    const auto first = std::find_if(bounds.begin(), bounds.end(), [&](const LowerBound& bound) {
      return bound.seconds >= largest * (1 - kEqualBounds);
    });
    sorted.push_back(std::move(*first));
    bounds.erase(first);
  }
  return sorted;
}

}  // namespace

Time BoundQuery::first_start() const {
  return starts.empty() ? Time{} : *std::min_element(starts.begin(), starts.end());
}

std::vector<LowerBound> lower_bounds(const BoundQuery& query) {
  std::vector<LowerBound> bounds{ports_bound(query)};
  const auto add = [&](LowerBound bound) {
    bounds.push_back(from_first_start(query, std::move(bound)));
  };
  const bool moves = query.ranks.size() > 1 && query.collective.bytes.count > 0;
  const bool sums = sums_everywhere(query.collective.kind);
  if (moves && query.ranks.size() <= kMostRanksCut) {
    const CutGraph graph = cut_graph(query);
    const bool pairs = is_pairwise(query.collective.kind);
    add(pairs ? pair_cut_bound(query, graph) : cut_bound(query, graph));
    if (pairs) add(volume_bound(query, graph));
    if (sums) add(partition_bound(query, graph));
  } else if (moves) {
    add(cut_by_structure(query));
    if (sums) add(partition_by_structure(query));
  }
  bounds.push_back(latency_bound(query));
  if (!query.starts.empty()) bounds.push_back(late_start_bound(query));
  return largest_first(std::move(bounds));
}

std::vector<NodeId> able_nodes(const Topology& topology) {
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < topology.nodes().size(); ++node)
    if (topology.nodes()[node].abilities != Abilities{}) nodes.push_back(node);
  return nodes;
}

std::vector<NodeId> helpers_of(const Schedule& schedule, const Topology& topology) {
  std::vector<NodeId> helpers;
  const std::vector<bool> relays = only_relaying(schedule);
  for (std::size_t i = schedule.ranks; i < schedule.participants.size(); ++i) {
    const NodeId id = topology.node(schedule.participants[i]);
    const Node& node = topology.nodes()[id];
    if (!(relays[i] && node.forwards && !node.transit_bandwidth)) helpers.push_back(id);
  }
  if (schedule.groups.empty()) return helpers;
  for (const NodeId node : able_nodes(topology))
    if (std::find(helpers.begin(), helpers.end(), node) == helpers.end()) helpers.push_back(node);
  return helpers;
}

LowerBound lower_bound(const BoundQuery& query) { return lower_bounds(query).front(); }

}  // namespace syncsim
