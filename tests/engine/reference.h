#pragma once
// Slow and obvious twins of the engine: water-filling from scratch over dense arrays, and a
// simulator in continuous time that looks at everything before each event. Both in long double.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "sim/engine/capacity_changes.h"
#include "sim/engine/network.h"
#include "tests/engine/plain_work.h"

namespace syncsim::engine::reference {

using Real = long double;
inline constexpr Real kNever = std::numeric_limits<Real>::infinity();

struct Flow {
  RouteIndex route = 0;
  Real weight = 1;
  Real maximum = kNever;
};

inline std::vector<double> capacities_of(const Network& network) {
  std::vector<double> result;
  for (ResourceIndex r = 0; r < network.resource_count(); ++r)
    result.push_back(network.capacity(r));
  return result;
}

// Room left on a resource a unit of weight of its growing flows; kNever when none grows there.
inline Real level_of(const Network& network, Real room, ResourceIndex resource,
                     const std::vector<Flow>& flows, const std::vector<Real>& rates,
                     const std::vector<bool>& fixed) {
  Real weight = 0;
  for (std::size_t f = 0; f < flows.size(); ++f)
    for (const Use& use : network.route(flows[f].route)) {
      if (use.resource != resource) continue;
      if (fixed[f]) {
        room -= use.coefficient * rates[f];
      } else {
        weight += use.coefficient * flows[f].weight;
      }
    }
  return weight > 0 ? room / weight : kNever;
}

inline bool takes(const Network& network, RouteIndex route, ResourceIndex resource) {
  const auto uses = network.route(route);
  return std::any_of(uses.begin(), uses.end(),
                     [&](const Use& use) { return use.resource == resource; });
}

// One resource or one flow at a time: the lowest level first. Capacities are those given.
inline std::vector<Real> max_min_rates(const Network& network,
                                       const std::vector<double>& capacities,
                                       const std::vector<Flow>& flows) {
  std::vector<Real> rates(flows.size(), kNever);
  std::vector<bool> fixed(flows.size(), false);
  for (;;) {
    Real lowest = kNever;
    std::size_t flow = flows.size();
    ResourceIndex resource = 0;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (fixed[f] || flows[f].maximum / flows[f].weight >= lowest) continue;
      lowest = flows[f].maximum / flows[f].weight;
      flow = f;
    }
    for (ResourceIndex r = 0; r < network.resource_count(); ++r) {
      const Real level = level_of(network, capacities[r], r, flows, rates, fixed);
      if (level >= lowest) continue;
      lowest = level;
      flow = flows.size();
      resource = r;
    }
    if (lowest == kNever) return rates;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const bool stops = flow < flows.size() ? f == flow : takes(network, flows[f].route, resource);
      if (fixed[f] || !stops) continue;
      fixed[f] = true;
      rates[f] = lowest * flows[f].weight;
    }
  }
}

struct OpTimes {
  Real start = -1;
  Real finish = -1;
  int rate_changes = 0;  // of its flow, the first rate included
};

// Whether a rate that was computed anew is another one, not the same with other rounding.
inline bool differs(Real rate, Real before) {
  return std::abs(rate - before) > 1e-12L * std::max(rate, before);
}

class Simulator {
 public:
  Simulator(const Network& network, const PlainWork& work, std::vector<CapacityChange> changes = {})
      : network_(network),
        work_(work),
        changes_(std::move(changes)),
        capacities_(capacities_of(network)),
        times_(work.size()),
        left_(work.size(), 0) {
    std::vector<std::uint32_t> last(work.lane_count(), work.size());
    for (std::uint32_t op = 0; op < work.size(); ++op) {
      before_.push_back(work.size());
      if (work.lane_of(op) == kNoLane) continue;
      before_[op] = last[work.lane_of(op)];
      last[work.lane_of(op)] = op;
    }
  }

  // One event an iteration: the earliest start or finish, the lowest op among equals; capacities
  // change before what else happens at their time. Ops that stall for ever have no finish.
  std::vector<OpTimes> run() {
    for (;;) {
      solve();
      Real next = kNever;
      std::uint32_t who = work_.size();
      for (std::uint32_t op = 0; op < work_.size(); ++op) {
        const Real at = times_[op].start < 0 ? start_of(op) : finish_of(op);
        if (at >= next) continue;
        next = at;
        who = op;
      }
      if (next_change_ < changes_.size() && changes_[next_change_].time <= next) {
        change();
        continue;
      }
      if (who == work_.size()) return times_;
      advance(next);
      happen(who);
    }
  }

 private:
  bool done(std::uint32_t op) const { return times_[op].finish >= 0; }
  bool flowing(std::uint32_t op) const {
    return times_[op].start >= 0 && !done(op) && work_.bytes_of(op) > 0;
  }
  const Lane* lane(std::uint32_t op) const {
    return work_.lane_of(op) == kNoLane ? nullptr : &work_.lane(work_.lane_of(op));
  }

  Real start_of(std::uint32_t op) const {
    Real ready = static_cast<Real>(work_.release_of(op));
    for (std::uint32_t other = 0; other < work_.size(); ++other)
      for (const std::uint32_t successor : work_.successors(other)) {
        if (successor != op) continue;
        if (!done(other)) return kNever;
        ready = std::max(ready, times_[other].finish);
      }
    if (lane(op) == nullptr) return ready;
    const Real overhead = static_cast<Real>(lane(op)->overhead.ps);
    const Real arrival = ready + overhead + static_cast<Real>(lane(op)->latency.ps);
    if (before_[op] == work_.size()) return arrival;
    if (!done(before_[op])) return kNever;
    return std::max(arrival, times_[before_[op]].finish + overhead);
  }

  Real finish_of(std::uint32_t op) const {
    if (done(op)) return kNever;
    if (work_.bytes_of(op) == 0) return times_[op].start + static_cast<Real>(work_.duration_of(op));
    return now_ + left_[op] / rates_[op] * 1e12L;
  }

  void change() {
    const CapacityChange& change = changes_[next_change_++];
    advance(static_cast<Real>(change.time));
    capacities_[change.resource] = change.capacity;
  }

  void solve() {
    std::vector<Flow> flows;
    std::vector<std::uint32_t> ops;
    for (std::uint32_t op = 0; op < work_.size(); ++op) {
      if (!flowing(op)) continue;
      const Real maximum = lane(op)->maximum_rate;
      flows.push_back({work_.route_of(op), lane(op)->weight, maximum > 0 ? maximum : kNever});
      ops.push_back(op);
    }
    const std::vector<Real> rates = max_min_rates(network_, capacities_, flows);
    const std::vector<Real> before = std::exchange(rates_, std::vector<Real>(work_.size(), 0));
    for (std::size_t f = 0; f < ops.size(); ++f) {
      rates_[ops[f]] = rates[f];
      times_[ops[f]].rate_changes += before.empty() || differs(rates[f], before[ops[f]]);
    }
  }

  void advance(Real time) {
    for (std::uint32_t op = 0; op < work_.size(); ++op)
      if (flowing(op) && rates_[op] < kNever) left_[op] -= rates_[op] * (time - now_) / 1e12L;
    now_ = time;
  }

  void happen(std::uint32_t op) {
    if (times_[op].start >= 0) {
      times_[op].finish = now_;
      return;
    }
    times_[op].start = now_;
    left_[op] = static_cast<Real>(work_.bytes_of(op));
  }

  const Network& network_;
  const PlainWork& work_;
  std::vector<CapacityChange> changes_;
  std::size_t next_change_ = 0;
  std::vector<double> capacities_;  // present ones
  std::vector<OpTimes> times_;
  std::vector<Real> left_;   // bytes
  std::vector<Real> rates_;  // of each op, as last solved
  std::vector<std::uint32_t> before_;
  Real now_ = 0;
};

}  // namespace syncsim::engine::reference
