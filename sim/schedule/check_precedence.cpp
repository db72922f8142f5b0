#include "sim/schedule/check_precedence.h"

#include <algorithm>
#include <utility>

namespace syncsim::checking {

// A join is mostly asked about one edge after the other.
bool Precedence::is_among_many(OpId a, OpId b) {
  const auto successors = schedule_.successors(a);
  if (std::exchange(many_from_, a) != a) near_ = 0;
  if (successors[near_] < b && near_ + 1 < successors.size()) ++near_;
  if (successors[near_] == b) return true;
  const auto found = std::lower_bound(successors.begin(), successors.end(), b);
  if (found == successors.end() || *found != b) return false;
  near_ = static_cast<std::size_t>(found - successors.begin());
  return true;
}

// By the edge of `a` that leads closest to b.
bool Precedence::in_two_steps(OpId a, OpId b) {
  const std::uint32_t limit = order_.position(b);
  const auto successors = schedule_.successors(a);
  const auto near = std::find_if(successors.rbegin(), successors.rend(),
                                 [&](OpId op) { return order_.position(op) < limit; });
  if (near == successors.rend() || !directly(*near, b)) return false;
  last_step_ = *near;
  return true;
}

Precedence::Answer Precedence::search(OpId a, OpId b) {
  if (budget_ > 0 && in_two_steps(a, b)) return Answer::yes;
  if (seen_.empty()) seen_.assign(schedule_.ops.size(), 0);
  if (++search_ == 0) {
    std::fill(seen_.begin(), seen_.end(), 0);
    search_ = 1;
  }
  const std::uint32_t limit = order_.position(b);
  stack_.assign(1, a);
  for (std::uint64_t steps = 0; !stack_.empty(); ++steps) {
    last_step_ = stack_.back();
    stack_.pop_back();
    if (directly(last_step_, b)) return Answer::yes;
    if (steps == budget_) return Answer::budget_spent;
    push_successors(last_step_, limit);
  }
  return Answer::no;
}

void Precedence::push(OpId op, std::uint32_t limit) {
  if (order_.position(op) >= limit || seen_[op] == search_) return;
  seen_[op] = search_;
  stack_.push_back(op);
}

// The last one pushed is tried first: the lane comes last, the op with the highest index first.
void Precedence::push_successors(OpId op, std::uint32_t limit) {
  if (order_.next_in_lane(op) != kNone) push(order_.next_in_lane(op), limit);
  for (const OpId next : schedule_.successors(op)) push(next, limit);
}

}  // namespace syncsim::checking
