#include "sim/topology/connected.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <numeric>
#include <vector>

namespace syncsim {
namespace {

// The island of every node; nodes that do not forward are islands of their own.
std::vector<NodeId> find_islands(const Topology& topology) {
  std::vector<NodeId> parent(topology.nodes().size());
  std::vector<int> rank(parent.size());
  std::iota(parent.begin(), parent.end(), NodeId{0});
  boost::disjoint_sets<int*, NodeId*> sets(rank.data(), parent.data());
  for (const Link& link : topology.links())
    if (topology.nodes()[link.from].forwards && topology.nodes()[link.to].forwards)
      sets.union_set(link.from, link.to);
  std::vector<NodeId> islands(parent.size());
  for (NodeId node = 0; node < islands.size(); ++node) islands[node] = sets.find_set(node);
  return islands;
}

class RankMap {
 public:
  explicit RankMap(const Topology& topology)
      : topology_(topology),
        islands_(find_islands(topology)),
        touched_(topology.nodes().size()),
        visitors_(topology.nodes().size()) {
    for (const Link& link : topology.links())
      if (topology.nodes()[link.to].forwards) touched_[link.from].push_back(islands_[link.to]);
    for (const NodeId rank : topology.ranks()) index_rank(rank);
  }

  bool has_common_island() const {
    return std::any_of(visitors_.begin(), visitors_.end(), [&](const auto& visitors) {
      return visitors.size() == topology_.ranks().size();
    });
  }

  // The first rank that this one does not reach; `neighbours` are of this one.
  std::optional<NodeId> first_missing(NodeId rank, const std::vector<NodeId>& neighbours) const {
    std::vector<bool> reached(topology_.nodes().size());
    reached[rank] = true;
    for (const NodeId node : neighbours) reached[node] = true;
    for (const NodeId island : touched_[rank])
      for (const NodeId visitor : visitors_[island]) reached[visitor] = true;
    for (const NodeId other : topology_.ranks())
      if (!reached[other]) return other;
    return std::nullopt;
  }

 private:
  void index_rank(NodeId rank) {
    std::vector<NodeId>& touched = touched_[rank];
    if (topology_.nodes()[rank].forwards) touched.push_back(islands_[rank]);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const NodeId island : touched) visitors_[island].push_back(rank);
  }

  const Topology& topology_;
  std::vector<NodeId> islands_;
  std::vector<std::vector<NodeId>> touched_;   // islands, by node
  std::vector<std::vector<NodeId>> visitors_;  // ranks, by island
};

std::vector<std::vector<NodeId>> find_neighbours(const Topology& topology) {
  std::vector<std::vector<NodeId>> neighbours(topology.nodes().size());
  for (const Link& link : topology.links()) neighbours[link.from].push_back(link.to);
  return neighbours;
}

}  // namespace

std::optional<std::pair<NodeId, NodeId>> first_cut_off_pair(const Topology& topology) {
  const RankMap map(topology);
  if (map.has_common_island()) return std::nullopt;
  const std::vector<std::vector<NodeId>> neighbours = find_neighbours(topology);
  for (const NodeId rank : topology.ranks())
    if (const auto missing = map.first_missing(rank, neighbours[rank]))
      return std::pair(rank, *missing);
  return std::nullopt;
}

}  // namespace syncsim
