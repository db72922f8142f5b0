#pragma once
// A schedule's dependencies as a drawing of its run wants them: from each op that carries or
// computes to those that wait for it. A join is no such op: where ops wait for one, each waits for
// that op alone which the join itself waited for last.

#include <span>
#include <vector>

#include "sim/schedule/schedule.h"
#include "sim/schedule/timeline.h"

namespace syncsim {

struct Arrow {
  OpId from = 0;
  OpId to = 0;
};

// Memory: 12 bytes an arrow, 4 an op while it is built.
class Arrows {
 public:
  // The timeline is recorded.
  Arrows(const Schedule& schedule, const Timeline& timeline);

  std::span<const Arrow> all() const { return arrows_; }  // by their first ends
  // Calls act(number of the arrow, arrow) for those that begin at an op, or end there.
  template <class Act>
  void from(OpId op, Act&& act) const {
    for (std::size_t i = first_from(op); i < arrows_.size() && arrows_[i].from == op; ++i)
      act(i, arrows_[i]);
  }
  template <class Act>
  void to(OpId op, Act&& act) const {
    for (std::size_t i = first_to(op); i < by_end_.size() && arrows_[by_end_[i]].to == op; ++i)
      act(by_end_[i], arrows_[by_end_[i]]);
  }

 private:
  std::size_t first_from(OpId op) const;
  std::size_t first_to(OpId op) const;

  std::vector<Arrow> arrows_;
  std::vector<std::uint32_t> by_end_;  // their numbers, by their last ends
};

}  // namespace syncsim
