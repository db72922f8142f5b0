#pragma once
// "Must op a be done before op b begins?" By an edge, on one lane, or else by a search forward from
// a through edges and lanes, among the ops not behind b in the order. The search dives along the
// edges that lead closest to b first: the usual paths, through a join or along a chunk's way, are
// found in as many steps as they have ops. The first step needs no memory and no lanes, so it is
// tried by itself.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/schedule/check_order.h"

namespace syncsim::checking {

class Precedence {
 public:
  enum class Answer : std::uint8_t { yes, no, budget_spent };

  // `budget`: ops that one search may pass through.
  Precedence(const Schedule& schedule, Order& order, std::uint64_t budget)
      : schedule_(schedule), order_(order), budget_(budget) {}

  // By an edge or on one lane.
  bool directly(OpId a, OpId b) {
    if (a < b && on_one_lane(schedule_.ops[a], schedule_.ops[b])) return true;
    const auto successors = schedule_.successors(a);
    if (successors.size() > kFew) return is_among_many(a, b);
    return std::find(successors.begin(), successors.end(), b) != successors.end();
  }
  // `a` comes before `b` in the order.
  Answer before(OpId a, OpId b) {
    last_step_ = a;
    return directly(a, b) ? Answer::yes : search(a, b);
  }
  // After `yes`: the op right before b on the path that was found, `a` itself when there is none
  // between.
  OpId last_step() const { return last_step_; }

 private:
  static constexpr std::size_t kFew = 8;  // edges that are quicker looked at one by one

  bool is_among_many(OpId a, OpId b);
  Answer search(OpId a, OpId b);
  bool in_two_steps(OpId a, OpId b);
  void push(OpId op, std::uint32_t limit);
  void push_successors(OpId op, std::uint32_t limit);

  const Schedule& schedule_;
  Order& order_;
  std::uint64_t budget_;
  OpId last_step_ = kNone;
  OpId many_from_ = kNone;  // the op with many edges that was last asked about,
  std::size_t near_ = 0;    // and which of them is near the one asked for
  std::vector<OpId> stack_;
  std::vector<std::uint32_t> seen_;  // by op: the search that saw it last; made on first use
  std::uint32_t search_ = 0;
};

}  // namespace syncsim::checking
