#include "sim/topology/cycle_cover.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

#include "sim/topology/cycle_factors.h"

namespace syncsim {
namespace {

using Edges = std::vector<std::pair<int, int>>;
using EdgeId = std::size_t;

constexpr std::int64_t kMostCoverSteps = 200'000'000;  // ranks looked at
constexpr std::uint32_t kSidewaysOneIn = 4;

// Ranks a, b, c, d and the edges a-b, b-c, c-d, d-a.
struct Square {
  std::array<int, 4> ranks;
  std::array<EdgeId, 4> edges;
};

// A factor: two edges at every rank, and the cycles that they form.
class Factor {
 public:
  explicit Factor(int ranks) : edges_(place_of(ranks)), cycle_(place_of(ranks)) {}

  void add(int rank, EdgeId edge) { edges_[place_of(rank)].push_back(edge); }
  void replace(int rank, EdgeId old_edge, EdgeId edge) {
    for (EdgeId& each : edges_[place_of(rank)])
      if (each == old_edge) each = edge;
  }
  void count_cycles(const Edges& ends) {
    std::fill(cycle_.begin(), cycle_.end(), kNone);
    cycles_ = 0;
    for (int rank = 0; rank < static_cast<int>(cycle_.size()); ++rank)
      if (cycle_[place_of(rank)] == kNone) {
        for (const int passed : from(rank, ends)) cycle_[place_of(passed)] = cycles_;
        ++cycles_;
      }
  }
  int cycles() const { return cycles_; }
  bool joined(int a, int b) const { return cycle_[place_of(a)] == cycle_[place_of(b)]; }
  // The ranks of a cycle, from one of them on.
  std::vector<int> from(int start, const Edges& ends) const {
    std::vector<int> result;
    EdgeId edge = edges_[place_of(start)].front();
    for (int rank = start; result.empty() || rank != start;) {
      result.push_back(rank);
      rank = ends[edge].first + ends[edge].second - rank;
      const std::vector<EdgeId>& two = edges_[place_of(rank)];
      edge = two[0] == edge ? two[1] : two[0];
    }
    return result;
  }

 private:
  static constexpr int kNone = -1;
  std::vector<std::vector<EdgeId>> edges_;  // by rank
  std::vector<int> cycle_;                  // by rank
  int cycles_ = 0;
};

class CycleCover {
 public:
  CycleCover(int ranks, const Edges& edges) : ranks_(ranks), edges_(edges) {
    Factors found = factors_of(ranks, edges);
    factor_of_ = std::move(found.of_edge);
    factors_.assign(static_cast<std::size_t>(found.count), Factor(ranks));
    for (EdgeId edge = 0; edge < edges.size(); ++edge)
      if (factor_of_[edge] != kNoFactor)
        for (const int end : {edges[edge].first, edges[edge].second})
          factors_[place_of(factor_of_[edge])].add(end, edge);
    for (Factor& factor : factors_) factor.count_cycles(edges_);
  }

  std::vector<std::vector<int>> joined() {
    if (cycles() > static_cast<int>(factors_.size())) join_all();
    std::vector<std::vector<int>> result;
    for (const Factor& factor : factors_)
      if (factor.cycles() == 1) result.push_back(factor.from(0, edges_));
    return result;
  }

 private:
  int cycles() const {
    int sum = 0;
    for (const Factor& factor : factors_) sum += factor.cycles();
    return sum;
  }

  void join_all() {
    std::vector<Square> squares = all_squares();
    std::mt19937 random(1);
    std::int64_t steps = 0;
    for (bool moved = true; moved && steps < kMostCoverSteps;) {
      moved = false;
      // Fisher-Yates, written out: std::shuffle differs between libraries.
      for (std::size_t left = squares.size(); left > 1; --left)
        std::swap(squares[left - 1], squares[random() % left]);
      for (const Square& square : squares) {
        if (!joins(square)) continue;
        const int before = cycles();
        exchange(square);
        steps += 2 * ranks_;
        moved = true;
        if (cycles() == static_cast<int>(factors_.size()) || steps >= kMostCoverSteps) return;
        if (cycles() >= before && random() % kSidewaysOneIn != 0) exchange(square);
      }
    }
  }

  // Every square once for either pair of opposite edges as the first.
  std::vector<Square> all_squares() const {
    std::vector<std::vector<std::pair<int, EdgeId>>> next(place_of(ranks_));
    for (EdgeId edge = 0; edge < edges_.size(); ++edge) {
      next[place_of(edges_[edge].first)].emplace_back(edges_[edge].second, edge);
      next[place_of(edges_[edge].second)].emplace_back(edges_[edge].first, edge);
    }
    std::vector<Square> result;
    for (int a = 0; a < ranks_; ++a)
      for (const auto& [b, ab] : next[place_of(a)])
        for (const auto& [c, bc] : next[place_of(b)])
          for (const auto& [d, cd] : next[place_of(c)])
            for (const auto& [back, da] : next[place_of(d)])
              if (back == a && a < b && a < c && a < d && b != d)
                result.push_back({{a, b, c, d}, {ab, bc, cd, da}});
    return result;
  }

  // Whether its pairs of edges can change places and one of these moves joins two cycles.
  bool joins(const Square& square) const {
    const auto& [a, b, c, d] = square.ranks;
    const int one = factor_of_[square.edges[0]];
    const int other = factor_of_[square.edges[1]];
    if (one == kNoFactor || one == other || factor_of_[square.edges[2]] != one ||
        factor_of_[square.edges[3]] != other)
      return false;
    return !factors_[place_of(one)].joined(a, c) ||
           (other != kNoFactor && !factors_[place_of(other)].joined(b, d));
  }
  // One factor has edges 0 and 2 of the square and gets 1 and 3; the other gives these for those.
  void move(int factor, const Square& square, bool to_first) {
    if (factor == kNoFactor) return;
    const auto& [a, b, c, d] = square.ranks;
    const auto& [ab, bc, cd, da] = square.edges;
    Factor& moved = factors_[place_of(factor)];
    moved.replace(a, to_first ? da : ab, to_first ? ab : da);
    moved.replace(b, to_first ? bc : ab, to_first ? ab : bc);
    moved.replace(c, to_first ? bc : cd, to_first ? cd : bc);
    moved.replace(d, to_first ? da : cd, to_first ? cd : da);
    moved.count_cycles(edges_);
  }
  void exchange(const Square& square) {
    const auto& [ab, bc, cd, da] = square.edges;
    const int one = factor_of_[ab];
    const int other = factor_of_[bc];
    move(one, square, false);
    move(other, square, true);
    factor_of_[ab] = factor_of_[cd] = other;
    factor_of_[bc] = factor_of_[da] = one;
  }

  int ranks_;
  const Edges& edges_;
  std::vector<int> factor_of_;
  std::vector<Factor> factors_;
};

}  // namespace

std::vector<std::vector<int>> edge_disjoint_cycles(int ranks, const Edges& edges) {
  return CycleCover(ranks, edges).joined();
}

}  // namespace syncsim
