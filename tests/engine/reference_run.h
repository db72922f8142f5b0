#pragma once
// The naive simulator for long works: of ops without edges it has to look at the head of each lane
// alone. As the other it solves from scratch for every event, in continuous time and long double.

#include <algorithm>
#include <vector>

#include "sim/base/error.h"
#include "tests/engine/plain_work.h"
#include "tests/engine/reference.h"

namespace syncsim::engine::reference {

class LaneSimulator {
 public:
  LaneSimulator(const Network& network, const PlainWork& work)
      : network_(network), work_(work), lanes_(work.lane_count()), times_(work.size()) {
    for (std::uint32_t op = 0; op < work.size(); ++op) {
      require(work.successors(op).empty() && work.lane_of(op) != kNoLane, "a work with edges");
      lanes_[work.lane_of(op)].ops.push_back(op);
    }
  }

  // One event an iteration: the earliest start or finish, of the lowest lane among equals.
  std::vector<OpTimes> run() {
    for (;;) {
      solve();
      Real next = kNever;
      Running* who = nullptr;
      for (Running& lane : lanes_) {
        const Real at = next_event(lane);
        if (at >= next) continue;
        next = at;
        who = &lane;
      }
      if (who == nullptr) return times_;
      for (Running& lane : lanes_)
        if (flowing(lane)) lane.left -= lane.rate * (next - now_) / 1e12L;
      now_ = next;
      happen(*who);
    }
  }

 private:
  struct Running {
    std::vector<std::uint32_t> ops;
    std::size_t head = 0;
    bool started = false;
    Real free_at = 0;
    Real left = 0;  // bytes
    Real rate = 0;
  };

  std::uint32_t head(const Running& lane) const { return lane.ops[lane.head]; }
  const Lane& rule(const Running& lane) const { return work_.lane(work_.lane_of(head(lane))); }
  bool flowing(const Running& lane) const { return lane.started && work_.bytes_of(head(lane)) > 0; }

  Real next_event(const Running& lane) const {
    if (lane.head == lane.ops.size()) return kNever;
    const std::uint32_t op = head(lane);
    if (flowing(lane)) return now_ + lane.left / lane.rate * 1e12L;
    if (lane.started) return times_[op].start + static_cast<Real>(work_.duration_of(op));
    const auto overhead = static_cast<Real>(rule(lane).overhead.ps);
    const auto arrival = static_cast<Real>(work_.release_of(op) + rule(lane).latency.ps) + overhead;
    return lane.head == 0 ? arrival : std::max(arrival, lane.free_at + overhead);
  }

  void solve() {
    std::vector<Flow> flows;
    for (const Running& lane : lanes_) {
      if (!flowing(lane)) continue;
      const Real maximum = rule(lane).maximum_rate;
      flows.push_back(
          {work_.route_of(head(lane)), rule(lane).weight, maximum > 0 ? maximum : kNever});
    }
    const std::vector<Real> rates = max_min_rates(network_, capacities_of(network_), flows);
    std::size_t flow = 0;
    for (Running& lane : lanes_) {
      if (!flowing(lane)) continue;
      times_[head(lane)].rate_changes += differs(rates[flow], lane.rate);
      lane.rate = rates[flow++];
    }
  }

  void happen(Running& lane) {
    const std::uint32_t op = head(lane);
    if (!lane.started) {
      lane.started = true;
      lane.left = static_cast<Real>(work_.bytes_of(op));
      lane.rate = 0;
      times_[op].start = now_;
      return;
    }
    lane.started = false;
    lane.free_at = times_[op].finish = now_;
    ++lane.head;
  }

  const Network& network_;
  const PlainWork& work_;
  std::vector<Running> lanes_;
  std::vector<OpTimes> times_;
  Real now_ = 0;
};

}  // namespace syncsim::engine::reference
