#pragma once
// An order of a schedule's ops in which each comes after all that it waits for in a graph: its
// predecessors by edges and on its lane, and what it must not run beside though the schedule leaves
// that open (graph_plan.h, rule 3).

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/large_vector.h"
#include "sim/schedule/check_order.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

class OpOrder {
 public:
  // Throws InternalError for ops that wait for each other.
  explicit OpOrder(const Schedule& schedule);

  OpId at(std::uint32_t position) const { return order_.at(position); }
  // What the op at that position waits for; some may be named twice.
  std::span<const OpId> before(std::uint32_t position) const {
    return std::span(before_).subspan(begins_[position],
                                      begins_[position + std::size_t{1}] - begins_[position]);
  }

 private:
  checking::Order order_;
  std::vector<std::size_t> begins_;  // by position
  std::vector<OpId> before_;
};

}  // namespace syncsim
