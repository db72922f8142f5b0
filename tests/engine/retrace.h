#pragma once
// Walks along the timetable that a run gave and checks every step from the state before it, so that
// no error can add up and tolerances need not grow:
//   - ready and start are those of rule 7, to the picosecond;
//   - at every instant the rates of FairShare are those of water-filling from scratch, to 1e-12;
//   - a flow ends within 1 ps of when the bytes that the reference finds left would be through.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/engine/fair_share.h"
#include "tests/engine/plain_work.h"
#include "tests/engine/reference.h"

namespace syncsim::engine::reference {

struct Retraced {
  std::uint64_t flows = 0;
  std::uint64_t solves = 0;
  std::uint64_t rates = 0;  // compared
  std::uint64_t rate_changes = 0;
};

class Retrace {
 public:
  Retrace(const Network& network, const PlainWork& work, const Timetable& table)
      : network_(network),
        work_(work),
        table_(table),
        share_(network,
               std::vector<std::uint32_t>(work.lane_count(),
                                          static_cast<std::uint32_t>(network.resource_count())),
               std::vector<std::uint32_t>(network.resource_count(), work.lane_count())) {}

  Retraced run() {
    check_starts();
    list_steps();
    for (std::size_t next = 0; next < steps_.size();) {
      const std::int64_t now = steps_[next].time;
      advance(now);
      for (; next < steps_.size() && steps_[next].time == now; ++next) take(steps_[next]);
      solve();
    }
    return counted_;
  }

 private:
  struct Step {
    std::int64_t time;
    bool starts;  // ends come first
    std::uint32_t op;
    friend auto operator<=>(const Step&, const Step&) = default;
  };
  struct Running {
    std::uint32_t op;
    Real left;  // bytes
    Real rate;
  };

  const OpRecord& times(std::uint32_t op) const { return table_.ops[op]; }

  void check_starts() const {
    std::vector<std::int64_t> ready(work_.size());
    for (std::uint32_t op = 0; op < work_.size(); ++op) ready[op] = work_.release_of(op);
    for (std::uint32_t op = 0; op < work_.size(); ++op)
      for (const std::uint32_t next : work_.successors(op))
        ready[next] = std::max(ready[next], times(op).finish);
    std::vector<std::int64_t> free_at(work_.lane_count(), 0);
    for (std::uint32_t op = 0; op < work_.size(); ++op) {
      CAPTURE(op);
      REQUIRE(times(op).ready == ready[op]);
      const std::uint32_t lane = work_.lane_of(op);
      if (lane == kNoLane) {
        REQUIRE(times(op).start == ready[op]);
        continue;
      }
      const std::int64_t overhead = work_.lane(lane).overhead.ps;
      REQUIRE(times(op).start == std::max(ready[op] + overhead + work_.lane(lane).latency.ps,
                                          free_at[lane] + overhead));
      free_at[lane] = times(op).finish;
    }
  }

  bool flows(std::uint32_t op) const {
    const std::uint32_t lane = work_.lane_of(op);
    return lane != kNoLane && work_.bytes_of(op) > 0 &&
           (!network_.route(work_.route_of(op)).empty() || work_.lane(lane).maximum_rate > 0);
  }

  void list_steps() {
    for (std::uint32_t op = 0; op < work_.size(); ++op) {
      CAPTURE(op);
      if (!flows(op)) {
        REQUIRE(times(op).finish == times(op).start + work_.duration_of(op));
        continue;
      }
      REQUIRE(times(op).finish > times(op).start);
      steps_.push_back({times(op).start, true, op});
      steps_.push_back({times(op).finish, false, op});
    }
    std::sort(steps_.begin(), steps_.end());
  }

  void advance(std::int64_t now) {
    for (Running& flow : running_) flow.left -= flow.rate * static_cast<Real>(now - now_) / 1e12L;
    now_ = now;
  }

  void take(const Step& step) {
    const std::uint32_t lane = work_.lane_of(step.op);
    if (step.starts) {
      running_.push_back({step.op, static_cast<Real>(work_.bytes_of(step.op)), 0});
      const Lane& rule = work_.lane(lane);
      share_.add(lane, work_.route_of(step.op), rule.weight, rule.maximum_rate);
      return;
    }
    const auto flow = std::find_if(running_.begin(), running_.end(),
                                   [&](const Running& r) { return r.op == step.op; });
    check_end(*flow);
    running_.erase(flow);
    share_.remove(lane);
  }

  // To 1 ps, and what doubles lose of the flow's duration.
  void check_end(const Running& flow) {
    CAPTURE(flow.op);
    const Real late = -flow.left / flow.rate * 1e12L;
    const auto duration = static_cast<Real>(times(flow.op).finish - times(flow.op).start);
    REQUIRE(std::abs(static_cast<double>(late)) <= static_cast<double>(1 + 1e-12L * duration));
    ++counted_.flows;
  }

  void solve() {
    std::vector<Flow> flows;
    for (const Running& flow : running_) {
      const Lane& rule = work_.lane(work_.lane_of(flow.op));
      flows.push_back({work_.route_of(flow.op), rule.weight,
                       rule.maximum_rate > 0 ? static_cast<Real>(rule.maximum_rate) : kNever});
    }
    const std::vector<Real> rates = max_min_rates(network_, capacities_of(network_), flows);
    share_.solve();
    for (std::size_t f = 0; f < flows.size(); ++f) {
      counted_.rate_changes += differs(rates[f], running_[f].rate);
      running_[f].rate = rates[f];
      const double rate = share_.rate(work_.lane_of(running_[f].op));
      REQUIRE(std::abs(rate - static_cast<double>(rates[f])) <= 1e-12 * rate);
    }
    ++counted_.solves;
    counted_.rates += flows.size();
  }

  const Network& network_;
  const PlainWork& work_;
  const Timetable& table_;
  FairShare share_;
  std::vector<Step> steps_;
  std::vector<Running> running_;
  std::int64_t now_ = 0;
  Retraced counted_;
};

inline Retraced retrace(const Network& network, const PlainWork& work, const Timetable& table) {
  return Retrace(network, work, table).run();
}

}  // namespace syncsim::engine::reference
