#include "sim/schedule/check_precedence.h"

#include <algorithm>

namespace syncsim::checking {

bool Precedence::directly(OpId a, OpId b) const {
  if (a < b && on_one_lane(schedule_.ops[a], schedule_.ops[b])) return true;
  const auto successors = schedule_.successors(a);
  return std::binary_search(successors.begin(), successors.end(), b);
}

Precedence::Answer Precedence::before(OpId a, OpId b) {
  last_step_ = a;
  if (directly(a, b)) return Answer::yes;
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
