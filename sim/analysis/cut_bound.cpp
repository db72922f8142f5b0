#include "sim/analysis/cut_bound.h"

#include "sim/analysis/bound_words.h"
#include "sim/analysis/demand.h"
#include "sim/analysis/spread_bound.h"

namespace syncsim {
namespace {

// Everything at one rank, wanted by all others.
CutDemand rooted(Flow flow, int ranks, int root) {
  CutDemand demand{flow, std::vector<std::int64_t>(static_cast<std::size_t>(ranks), 0), {}};
  demand.weights[static_cast<std::size_t>(root)] = 1;
  for (int rank = 0; rank < ranks; ++rank)
    if (rank != root) demand.sinks.push_back(static_cast<std::size_t>(rank));
  return demand;
}

// A share at every rank, wanted by all.
CutDemand spread(Flow flow, int ranks) {
  CutDemand demand{flow, std::vector<std::int64_t>(static_cast<std::size_t>(ranks), 1), {}};
  for (int rank = 0; rank < ranks; ++rank) demand.sinks.push_back(static_cast<std::size_t>(rank));
  return demand;
}

// A share at every rank but the root, which alone is outside.
CutDemand shares(Flow flow, int ranks, int root) {
  CutDemand demand = spread(flow, ranks);
  demand.weights[static_cast<std::size_t>(root)] = 0;
  demand.sinks = {static_cast<std::size_t>(root)};
  return demand;
}

double bytes_across(const Collective& collective, const TerminalSet& inside, Flow flow) {
  std::vector<std::uint32_t> group;
  for (int rank = 0; rank < collective.ranks; ++rank)
    group.push_back(inside[static_cast<std::size_t>(rank)] ? 0 : 1);
  const Demand demand = demands(collective, group, 2).front();
  return flow == Flow::leaving ? demand.out : demand.in;
}

}  // namespace

std::vector<CutDemand> cut_demands(const Collective& collective) {
  const int ranks = collective.ranks;
  switch (collective.kind) {
    case CollectiveKind::allreduce:
    case CollectiveKind::barrier:
      return {rooted(Flow::leaving, ranks, 0), rooted(Flow::entering, ranks, 0)};
    case CollectiveKind::broadcast:
      return {rooted(Flow::leaving, ranks, collective.root)};
    case CollectiveKind::reduce:
      return {rooted(Flow::entering, ranks, collective.root)};
    case CollectiveKind::all_gather:
      return {spread(Flow::leaving, ranks)};
    case CollectiveKind::reduce_scatter:
      return {spread(Flow::entering, ranks)};
    case CollectiveKind::gather:
      return {shares(Flow::leaving, ranks, collective.root)};
    case CollectiveKind::scatter:
      return {shares(Flow::entering, ranks, collective.root)};
    case CollectiveKind::all_to_all:
    case CollectiveKind::send_recv:
      return {};
  }
  return {};
}

LowerBound cut_bound(const BoundQuery& query, const CutGraph& graph) {
  LowerBound best{0, "cut", "nothing has to move"};
  if (graph.ranks < 2) return best;
  for (const CutDemand& demand : cut_demands(query.collective)) {
    const WorstCut cut = worst_cut(graph, demand.flow, demand.weights, demand.sinks);
    const double bytes = bytes_across(query.collective, cut.inside, demand.flow);
    const double least = bytes / (static_cast<double>(cut.capacity) * graph.unit);
    if (bytes == 0 || least <= best.seconds) continue;
    best.seconds = least;
    best.binds = words_of(query, cut.inside, demand.flow);
  }
  return best;
}

}  // namespace syncsim
