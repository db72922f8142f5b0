#include "strategies/packing/forests.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>

#include "strategies/index.h"

namespace syncsim::strategy {
namespace {

using EdgeIndex = int;
constexpr int kNo = -1;

// One forest: its edges by node, and every node's way to its tree's root.
class Forest {
 public:
  Forest(int nodes, const std::vector<Edge>& edges)
      : edges_(edges), around_(static_cast<std::size_t>(nodes)) {
    settle();
  }

  bool joins(EdgeIndex edge) const {  // two trees
    return at(edges_[index(edge)].a).root != at(edges_[index(edge)].b).root;
  }

  void add(EdgeIndex edge) {
    around(edges_[index(edge)].a).push_back(edge);
    around(edges_[index(edge)].b).push_back(edge);
  }
  void remove(EdgeIndex edge) {
    std::erase(around(edges_[index(edge)].a), edge);
    std::erase(around(edges_[index(edge)].b), edge);
  }

  // After changes.
  void settle() {
    places_.assign(around_.size(), Place{});
    for (int root = 0; root < static_cast<int>(around_.size()); ++root)
      if (at(root).root == kNo) hang_below(root);
  }

  // Calls see(edge) for the path between the ends of an edge in one tree.
  template <class See>
  void each_on_path(EdgeIndex edge, See&& see) const {
    int a = edges_[index(edge)].a;
    int b = edges_[index(edge)].b;
    while (a != b) {
      int& lower = at(a).depth >= at(b).depth ? a : b;
      see(at(lower).up);
      lower = other_end(at(lower).up, lower);
    }
  }

 private:
  struct Place {
    int root = kNo;
    int depth = 0;
    EdgeIndex up = kNo;
  };

  const Place& at(int node) const { return places_[index(node)]; }
  std::vector<EdgeIndex>& around(int node) { return around_[index(node)]; }
  int other_end(EdgeIndex edge, int node) const {
    const Edge& ends = edges_[index(edge)];
    return ends.a == node ? ends.b : ends.a;
  }

  void hang_below(int root) {
    places_[index(root)] = {root, 0, kNo};
    std::vector<int> open{root};
    while (!open.empty()) {
      const int node = open.back();
      open.pop_back();
      for (const EdgeIndex edge : around_[index(node)]) {
        const int next = other_end(edge, node);
        if (at(next).root != kNo) continue;
        places_[index(next)] = {root, at(node).depth + 1, edge};
        open.push_back(next);
      }
    }
  }

  const std::vector<Edge>& edges_;
  std::vector<std::vector<EdgeIndex>> around_;
  std::vector<Place> places_;
};

class Partition {
 public:
  Partition(int nodes, const std::vector<Edge>& edges, int count)
      : edges_(edges),
        forests_(static_cast<std::size_t>(count), Forest(nodes, edges)),
        home_(edges.size(), kNo) {}

  // Whether the edge, or another that makes way for it, finds a place.
  bool insert(EdgeIndex edge) {
    reached_from_.assign(edges_.size(), kUnreached);
    reached_from_[index(edge)] = kNo;
    std::deque<EdgeIndex> open{edge};
    while (!open.empty()) {
      const EdgeIndex moving = open.front();
      open.pop_front();
      for (int forest = 0; forest < static_cast<int>(forests_.size()); ++forest) {
        if (home_[index(moving)] == forest) continue;
        if (forests_[index(forest)].joins(moving)) {
          move_chain(moving, forest);
          return true;
        }
        forests_[index(forest)].each_on_path(moving, [&](EdgeIndex on_cycle) {
          if (reached_from_[index(on_cycle)] != kUnreached) return;
          reached_from_[index(on_cycle)] = moving;
          open.push_back(on_cycle);
        });
      }
    }
    return false;
  }

  std::vector<std::vector<Edge>> trees() const {
    std::vector<std::vector<Edge>> result(forests_.size());
    for (std::size_t edge = 0; edge < edges_.size(); ++edge)
      if (home_[edge] != kNo) result[index(home_[edge])].push_back(edges_[edge]);
    return result;
  }

 private:
  static constexpr EdgeIndex kUnreached = -2;

  // `edge` goes to `forest`, the one that wanted its place takes it, and so on.
  void move_chain(EdgeIndex edge, int forest) {
    std::vector<int> changed;
    while (edge != kNo) {
      const int left = home_[index(edge)];
      if (left != kNo) forests_[index(left)].remove(edge);
      forests_[index(forest)].add(edge);
      home_[index(edge)] = forest;
      changed.push_back(forest);
      forest = left;
      edge = reached_from_[index(edge)];
    }
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    for (const int each : changed) forests_[index(each)].settle();
  }

  const std::vector<Edge>& edges_;
  std::vector<Forest> forests_;
  std::vector<int> home_;                // forest, by edge
  std::vector<EdgeIndex> reached_from_;  // by edge, in one search
};

}  // namespace

std::optional<std::vector<std::vector<Edge>>> disjoint_trees(int nodes,
                                                             const std::vector<Edge>& edges,
                                                             int count) {
  const std::size_t wanted = static_cast<std::size_t>(count) * static_cast<std::size_t>(nodes - 1);
  if (edges.size() < wanted) return std::nullopt;
  Partition partition(nodes, edges, count);
  std::size_t placed = 0;
  for (std::size_t edge = 0; edge < edges.size() && placed < wanted; ++edge)
    if (partition.insert(static_cast<EdgeIndex>(edge))) ++placed;
  if (placed < wanted) return std::nullopt;
  return partition.trees();
}

}  // namespace syncsim::strategy
