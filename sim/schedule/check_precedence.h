#pragma once
// "Must op a be done before op b begins?" By an edge, on one lane, or else by a search forward from
// a through edges and lanes, among the ops not behind b in the order. The search dives along the
// edges that lead closest to b first: the usual paths, through a join or along a chunk's way, are
// found in as many steps as they have ops.

#include <cstdint>
#include <vector>

#include "sim/schedule/check_order.h"

namespace syncsim::checking {

class Precedence {
 public:
  enum class Answer : std::uint8_t { yes, no, budget_spent };

  // `budget`: ops that one search may pass through.
  Precedence(const Schedule& schedule, const Order& order, std::uint64_t budget)
      : schedule_(schedule), order_(order), budget_(budget) {}

  // By an edge or on one lane.
  bool directly(OpId a, OpId b) const;
  // `a` comes before `b` in the order.
  Answer before(OpId a, OpId b);
  // After `yes`: the op right before b on the path that was found, `a` itself when there is none
  // between.
  OpId last_step() const { return last_step_; }

 private:
  void push(OpId op, std::uint32_t limit);
  void push_successors(OpId op, std::uint32_t limit);

  const Schedule& schedule_;
  const Order& order_;
  std::uint64_t budget_;
  OpId last_step_ = kNone;
  std::vector<OpId> stack_;
  std::vector<std::uint32_t> seen_;  // by op: the search that saw it last; made on first use
  std::uint32_t search_ = 0;
};

}  // namespace syncsim::checking
