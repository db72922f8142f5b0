#pragma once
// The levels at which resources and flows would stop growing, lowest first: a winner tree. Its
// updates have no branches to mispredict, and so take half the time of a heap's. Of equal levels
// the order is fixed by the order of add. add and first take O(1), build O(limits), raise_first and
// drop_first O(log limits). Memory: 32 bytes a limit, reserved at construction.

#include <cstdint>
#include <limits>
#include <vector>

namespace syncsim::engine {

class LowestLevel {
 public:
  struct Limit {
    double level;
    std::uint32_t id;
    std::uint32_t leaf;
  };

  explicit LowestLevel(std::size_t most) { nodes_.reserve(2 * most + 1); }

  void clear() { nodes_.clear(); }
  // While filling the tree, before `build`; nodes_[i] is leaf i for now.
  void add(double level, std::uint32_t id) { nodes_.push_back({level, id, 0}); }
  void build();

  bool empty() const { return nodes_.empty() || first().level == kNever; }
  const Limit& first() const { return nodes_[1]; }
  void raise_first(double level);
  void drop_first() { raise_first(kNever); }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  const Limit& winner(std::size_t node) const {
    const Limit& left = nodes_[2 * node];
    const Limit& right = nodes_[2 * node + 1];
    return right.level < left.level ? right : left;
  }

  std::vector<Limit> nodes_;  // the root is 1, the children of i are 2i and 2i + 1, leaves last
};

}  // namespace syncsim::engine
