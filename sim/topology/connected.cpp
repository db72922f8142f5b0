#include "sim/topology/connected.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

  // The ranks that this one does not reach; `neighbours` are of this one.
  std::vector<std::size_t> missing(NodeId rank, const std::vector<NodeId>& neighbours) const {
    std::vector<bool> reached(topology_.nodes().size());
    reached[rank] = true;
    for (const NodeId node : neighbours) reached[node] = true;
    for (const NodeId island : touched_[rank])
      for (const NodeId visitor : visitors_[island]) reached[visitor] = true;
    std::vector<std::size_t> result;
    for (std::size_t other = 0; other < topology_.ranks().size(); ++other)
      if (!reached[topology_.ranks()[other]]) result.push_back(other);
    return result;
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

constexpr std::size_t kMostNamed = 8;

// "a", "a and b", "a, b and c", "a, b, ... and 12 more".
std::string enumerated(const std::vector<std::string>& first, std::size_t count) {
  if (first.size() < count)
    return fmt::format("{} and {} more", fmt::join(first, ", "), count - first.size());
  if (count == 1) return first.front();
  return fmt::format("{} and {}", fmt::join(first.begin(), first.end() - 1, ", "), first.back());
}

std::string ranks_text(const std::vector<std::size_t>& ranks) {
  if (ranks.size() == 1) return fmt::format("rank {}", ranks[0]);
  if (ranks.back() - ranks.front() + 1 == ranks.size())
    return fmt::format("ranks {}-{}", ranks.front(), ranks.back());
  std::vector<std::string> first;
  for (std::size_t i = 0; i < std::min(ranks.size(), kMostNamed); ++i)
    first.push_back(fmt::format("{}", ranks[i]));
  return "ranks " + enumerated(first, ranks.size());
}

}  // namespace

std::optional<CutOff> first_cut_off(const Topology& topology) {
  const RankMap map(topology);
  if (map.has_common_island()) return std::nullopt;
  const std::vector<std::vector<NodeId>> neighbours = find_neighbours(topology);
  for (std::size_t rank = 0; rank < topology.ranks().size(); ++rank) {
    const NodeId node = topology.ranks()[rank];
    CutOff cut{rank, map.missing(node, neighbours[node])};
    if (!cut.ranks.empty()) return cut;
  }
  return std::nullopt;
}

std::optional<std::pair<NodeId, NodeId>> first_cut_off_pair(const Topology& topology) {
  const auto cut = first_cut_off(topology);
  if (!cut) return std::nullopt;
  return std::pair(topology.ranks()[cut->from], topology.ranks()[cut->ranks.front()]);
}

std::string to_string(const CutOff& cut, const Topology& topology) {
  const auto id = [&](std::size_t rank) { return topology.nodes()[topology.ranks()[rank]].id; };
  if (cut.ranks.size() > 1 && cut.ranks.size() + 1 == topology.ranks().size())
    return fmt::format("{} (rank {}) is cut off from all other ranks", id(cut.from), cut.from);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(cut.ranks.size(), kMostNamed); ++i)
    names.push_back(id(cut.ranks[i]));
  return fmt::format("{} ({}) {} cut off from {}", enumerated(names, cut.ranks.size()),
                     ranks_text(cut.ranks), cut.ranks.size() == 1 ? "is" : "are", id(cut.from));
}

}  // namespace syncsim
