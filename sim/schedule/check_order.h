#pragma once
// The order of ops that edges and lanes impose. An op comes after its predecessors by edges and
// after the op before it on its lane (source, destination, channel); joins have no lane. Lanes are
// linked when someone asks for one: edges alone order most schedules.

#include <cstdint>
#include <vector>

#include "sim/schedule/check.h"

namespace syncsim::checking {

class Order {
 public:
  // The schedule has passed check_structure.
  explicit Order(const Schedule& schedule);

  // False when ops wait for each other in a cycle. The functions below then have no meaning.
  bool complete() const { return by_index_ || sequence_.size() == schedule_.ops.size(); }
  // The cycle, named op by op; only when not complete.
  Violation cycle() const;

  // One sequence in which every op comes after those that it waits for.
  OpId at(std::uint32_t position) const { return by_index_ ? position : sequence_[position]; }
  std::uint32_t position(OpId op) const { return by_index_ ? op : positions_[op]; }
  // kNone at the end of a lane and for joins.
  OpId next_in_lane(OpId op) {
    if (next_in_lane_.empty()) link_lanes();
    return next_in_lane_[op];
  }

 private:
  void link_lanes();
  void sort();

  const Schedule& schedule_;
  bool by_index_;               // index order will do, as in every schedule from the builder
  std::vector<OpId> sequence_;  // empty when by_index_
  std::vector<std::uint32_t> positions_;
  LargeVector<OpId> next_in_lane_;  // empty until it is asked for
};

// Op order is lane order.
inline bool on_one_lane(const Op& a, const Op& b) {
  return a.source == b.source && a.destination == b.destination && a.channel == b.channel &&
         a.kind != OpKind::join && b.kind != OpKind::join;
}

}  // namespace syncsim::checking
