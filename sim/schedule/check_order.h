#pragma once
// The order of ops that edges and lanes impose. An op comes after its predecessors by edges and
// after the op before it on its lane (source, destination, channel); joins have no lane.

#include <cstdint>
#include <vector>

#include "sim/schedule/check.h"

namespace syncsim::checking {

class Order {
 public:
  // The schedule has passed check_structure.
  explicit Order(const Schedule& schedule);

  // False when ops wait for each other in a cycle. The functions below then have no meaning.
  bool complete() const { return by_index_ || sequence_.size() == next_in_lane_.size(); }
  // The cycle, named op by op; only when not complete.
  Violation cycle(const Schedule& schedule) const;

  // One sequence in which every op comes after those that it waits for.
  OpId at(std::uint32_t position) const { return by_index_ ? position : sequence_[position]; }
  std::uint32_t position(OpId op) const { return by_index_ ? op : positions_[op]; }
  // kNone at the end of a lane and for joins.
  OpId next_in_lane(OpId op) const { return next_in_lane_[op]; }

 private:
  void link_lanes(const Schedule& schedule);
  void sort(const Schedule& schedule);

  bool by_index_ = false;       // index order will do, as in every schedule from the builder
  std::vector<OpId> sequence_;  // empty when by_index_
  std::vector<std::uint32_t> positions_;
  std::vector<OpId> next_in_lane_;
};

// Op order is lane order.
inline bool on_one_lane(const Op& a, const Op& b) {
  return a.source == b.source && a.destination == b.destination && a.channel == b.channel &&
         a.kind != OpKind::join && b.kind != OpKind::join;
}

}  // namespace syncsim::checking
