#include "sim/topology/connected.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/topology/islands.h"

namespace syncsim {
namespace {

// The island of every node; nodes that do not forward are islands of their own.
std::vector<NodeId> find_islands(const Topology& topology) {
  return islands_of(topology, [&](const Link& link) {
    return topology.nodes()[link.from].forwards && topology.nodes()[link.to].forwards;
  });
}

// A bit for each of some hundred ranks.
class Bits {
 public:
  static constexpr std::size_t kCount = 512;  // a cache line

  void set(std::size_t bit) { words_[bit / 64] |= std::uint64_t{1} << (bit % 64); }
  bool has(std::size_t bit) const { return (words_[bit / 64] >> (bit % 64) & 1) != 0; }
  void add(const Bits& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  friend bool operator==(const Bits&, const Bits&) = default;

 private:
  std::array<std::uint64_t, kCount / 64> words_ = {};
};

// Bits of the few nodes that have any.
class BitsOfNodes {
 public:
  explicit BitsOfNodes(std::size_t nodes) : slots_(nodes) {}

  Bits& of(NodeId node) {
    if (slots_[node] == 0) {
      bits_.emplace_back();
      slots_[node] = static_cast<std::uint32_t>(bits_.size());
    }
    return bits_[slots_[node] - 1];
  }
  void add_to(Bits& sum, NodeId node) const {
    if (slots_[node] != 0) sum.add(bits_[slots_[node] - 1]);
  }

 private:
  std::vector<std::uint32_t> slots_;  // by node, from 1
  std::vector<Bits> bits_;
};

class RankMap {
 public:
  explicit RankMap(const Topology& topology)
      : topology_(topology),
        ranks_(topology.ranks()),
        islands_(find_islands(topology)),
        touched_(topology.nodes().size()),
        visitors_(topology.nodes().size()) {
    for (const Link& link : topology.links())
      if (topology.nodes()[link.to].forwards) touched_[link.from].push_back(islands_[link.to]);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) index_rank(rank);
  }

  // The first rank that does not reach all others. Those that visit the largest island reach each
  // other, so only others need a look.
  std::optional<std::size_t> first_cut_off() const {
    const std::vector<std::size_t> outsiders = find_outsiders();
    if (outsiders.empty()) return std::nullopt;
    const std::vector<std::vector<NodeId>> neighbours = find_neighbours();
    std::optional<std::size_t> first;
    for (std::size_t begin = 0; begin < outsiders.size() && first != 0; begin += Bits::kCount) {
      const std::size_t count = std::min(Bits::kCount, outsiders.size() - begin);
      const auto found = first_cut_off(std::span(outsiders).subspan(begin, count), neighbours);
      if (found && (!first || *found < *first)) first = found;
    }
    return first;
  }

  // The ranks that this one does not reach.
  std::vector<std::size_t> missing(std::size_t rank) const {
    std::vector<bool> reached(topology_.nodes().size());
    reached[ranks_[rank]] = true;
    for (const Link& link : topology_.links())
      if (link.from == ranks_[rank]) reached[link.to] = true;
    for (const NodeId island : touched_[ranks_[rank]])
      for (const std::size_t visitor : visitors_[island]) reached[ranks_[visitor]] = true;
    std::vector<std::size_t> result;
    for (std::size_t other = 0; other < ranks_.size(); ++other)
      if (!reached[ranks_[other]]) result.push_back(other);
    return result;
  }

 private:
  void index_rank(std::size_t rank) {
    std::vector<NodeId>& touched = touched_[ranks_[rank]];
    if (topology_.nodes()[ranks_[rank]].forwards) touched.push_back(islands_[ranks_[rank]]);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const NodeId island : touched) visitors_[island].push_back(rank);
  }

  std::vector<std::size_t> find_outsiders() const {
    const auto largest = std::max_element(
        visitors_.begin(), visitors_.end(),
        [](const auto& one, const auto& other) { return one.size() < other.size(); });
    std::vector<bool> visits(ranks_.size());
    for (const std::size_t visitor : *largest) visits[visitor] = true;
    std::vector<std::size_t> outsiders;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      if (!visits[rank]) outsiders.push_back(rank);
    return outsiders;
  }

  std::vector<std::vector<NodeId>> find_neighbours() const {
    std::vector<std::vector<NodeId>> neighbours(topology_.nodes().size());
    for (const Link& link : topology_.links()) neighbours[link.from].push_back(link.to);
    return neighbours;
  }

  // Of pairs with one of `some`, the first rank of the first that is cut off.
  std::optional<std::size_t> first_cut_off(
      std::span<const std::size_t> some, const std::vector<std::vector<NodeId>>& neighbours) const {
    BitsOfNodes on_island(topology_.nodes().size());  // who touches it
    BitsOfNodes direct(topology_.nodes().size());     // whose neighbour it is, or who it is
    Bits all;
    for (std::size_t bit = 0; bit < some.size(); ++bit) {
      const NodeId node = ranks_[some[bit]];
      all.set(bit);
      direct.of(node).set(bit);
      for (const NodeId neighbour : neighbours[node]) direct.of(neighbour).set(bit);
      for (const NodeId island : touched_[node]) on_island.of(island).set(bit);
    }
    std::optional<std::size_t> first;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      Bits reached;
      direct.add_to(reached, ranks_[rank]);
      for (const NodeId island : touched_[ranks_[rank]]) on_island.add_to(reached, island);
      if (reached == all) continue;
      std::size_t bit = 0;
      while (reached.has(bit)) ++bit;
      first = std::min({first.value_or(rank), rank, some[bit]});
    }
    return first;
  }

  const Topology& topology_;
  const std::vector<NodeId>& ranks_;
  std::vector<NodeId> islands_;
  std::vector<std::vector<NodeId>> touched_;        // islands, by node
  std::vector<std::vector<std::size_t>> visitors_;  // ranks, by island
};

constexpr std::size_t kMostStrays = 8;

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
  for (std::size_t i = 0; i < std::min(ranks.size(), kMostStrays); ++i)
    first.push_back(fmt::format("{}", ranks[i]));
  return "ranks " + enumerated(first, ranks.size());
}

}  // namespace

std::optional<CutOff> first_cut_off(const Topology& topology) {
  const RankMap map(topology);
  const auto rank = map.first_cut_off();
  if (!rank) return std::nullopt;
  return CutOff{*rank, map.missing(*rank)};
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
  for (std::size_t i = 0; i < std::min(cut.ranks.size(), kMostStrays); ++i)
    names.push_back(id(cut.ranks[i]));
  return fmt::format("{} ({}) {} cut off from {}", enumerated(names, cut.ranks.size()),
                     ranks_text(cut.ranks), cut.ranks.size() == 1 ? "is" : "are", id(cut.from));
}

}  // namespace syncsim
