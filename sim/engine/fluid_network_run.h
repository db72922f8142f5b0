#pragma once
// The event loop behind run(). Entities of the event queue: the lanes, whose event is the start or
// the end of the lane's head, whichever is next; joins that are released at a time; and the clocks
// of the resources, for flows that end by these. What happens at the present instant goes through
// lists, never recursion: a chain of a million joins is a loop.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/watch.h"
#include "sim/engine/blocked.h"
#include "sim/engine/capacity_changes.h"
#include "sim/engine/clock.h"
#include "sim/engine/completions.h"
#include "sim/engine/due_lanes.h"
#include "sim/engine/event_queue.h"
#include "sim/engine/fair_share.h"
#include "sim/engine/network.h"
#include "sim/engine/outcome.h"
#include "sim/engine/run_state.h"
#include "sim/engine/usage_meter.h"

namespace syncsim::engine {

// A work that is done before all its ops are.
template <class Work>
concept EndsEarly = requires(const Work& work) {
  { work.essential() } -> std::same_as<std::uint32_t>;
};

template <class Work, class Recorder>
class Run {
 public:
  Run(const Network& network, const Work& work, Recorder& recorder, Audit audit,
      std::span<const CapacityChange> changes, Watch* watch)
      : network_(network),
        work_(work),
        recorder_(recorder),
        audit_(audit == Audit::on),
        watch_(watch),
        next_look_(watch == nullptr ? std::numeric_limits<std::uint64_t>::max() : 0),
        state_(network, work),
        flows_(network, state_.most_uses, state_.most_flows),
        completions_(state_.lanes.size(), state_.most_flows, first_clock()),
        events_(first_clock() + network.resource_count()),
        due_(state_.lanes.size()),
        changes_(network, changes),
        meter_(network) {
    joins_.reserve(state_.join_count);
  }

  Totals finish() {
    for (std::uint32_t op = 0; op < work_.size(); ++op)
      if (state_.ops[op] == 0) become_ready(op);
    if (changes_.next_time() == 0) flows_.set_capacities(changes_.take());
    for (;;) {
      drain_present();
      share();
      if (!goes_on() || ended_early() || told_to_stop()) break;
      advance();
    }
    if (totals_.stopped) {
      totals_.finish.ps = now_;
    } else if (totals_.ops_done < essential()) {
      throw deadlock(state_, network_, work_, flows_, essential(), totals_.ops_done);
    }
    if (EndsEarly<Work> || totals_.stopped) cut_off();
    totals_.resources = meter_.totals();
    return std::move(totals_);
  }

 private:
  using Phase = LaneState::Phase;

  bool goes_on() const {
    return !events_.empty() || (!changes_.empty() && totals_.ops_done < essential());
  }

  // To the next instant at which something happens.
  void advance() {
    now_ = changes_.next_time();
    if (!events_.empty()) now_ = std::min(now_, events_.next().time);
    if (changes_.next_time() == now_) flows_.set_capacities(changes_.take());
  }

  void drain_present() {
    for (;;) {
      if (!joins_.empty()) {
        finish_join(take_join());
      } else if (!events_.empty() && events_.next().time == now_) {
        fire(events_.pop().entity);
      } else if (!due_.empty()) {
        start(due_.pop());
      } else {
        return;
      }
    }
  }

  // Every dependency is done, now.
  void become_ready(std::uint32_t op) {
    const std::int64_t ready = std::max(now_, work_.release_of(op));
    const std::uint32_t lane = work_.lane_of(op);
    state_.ops[op] = ready;
    if (lane != kNoLane) {
      if (state_.lanes[lane].head == op) schedule_head(lane);
    } else if (ready == now_) {
      joins_.push_back(op);
    } else {
      events_.set(entity_of_join(op), ready);
    }
  }

  // start = max(ready + o + L, end of the lane's previous op + o)
  void schedule_head(std::uint32_t lane) {
    LaneState& state = state_.lanes[lane];
    const Lane& rule = work_.lane(lane);
    const std::int64_t arrives =
        later(later(state_.ops[state.head], rule.overhead.ps), rule.latency.ps);
    const std::int64_t start = std::max(arrives, later(state.free_at, rule.overhead.ps));
    state.phase = Phase::starting;
    if (start == now_) {
      due_.push(lane);
    } else {
      events_.set(lane, start);
    }
  }

  std::uint32_t first_clock() const {
    return static_cast<std::uint32_t>(state_.lanes.size() + state_.timed_joins.size());
  }

  void fire(std::uint32_t entity) {
    if (entity >= first_clock()) return strike(entity);
    if (entity >= state_.lanes.size()) {
      finish_join(state_.timed_joins[entity - state_.lanes.size()]);
      return;
    }
    switch (state_.lanes[entity].phase) {
      case Phase::starting:
        return start(entity);
      case Phase::flowing:
        end_flow(entity);
        [[fallthrough]];
      default:
        finish_head(entity);
    }
  }

  // All flows that are through by this clock, now.
  void strike(std::uint32_t clock) {
    for (;;) {
      const std::uint32_t lane = completions_.due(clock, now_);
      if (lane == Completions::kNobody) return;
      end_flow(lane);
      finish_head(lane);
    }
  }

  void start(std::uint32_t lane) {
    LaneState& state = state_.lanes[lane];
    state.started = now_;
    const std::int64_t bytes = work_.bytes_of(state.head);
    const std::int64_t duration = bytes == 0 ? work_.duration_of(state.head) : 0;
    if (duration > 0) {
      state.phase = Phase::computing;
      events_.set(lane, later(now_, duration));
    } else if (bytes > 0) {
      start_flow(lane, bytes);
    } else {
      finish_head(lane);
    }
  }

  void start_flow(std::uint32_t lane, std::int64_t bytes) {
    LaneState& state = state_.lanes[lane];
    const Lane& rule = work_.lane(lane);
    const RouteIndex route = work_.route_of(state.head);
    if (network_.route(route).empty() && !(rule.maximum_rate > 0)) return finish_head(lane);
    state.phase = Phase::flowing;
    completions_.begin(lane, static_cast<double>(bytes), now_);
    flows_.add(lane, route, rule.weight, rule.maximum_rate);
  }

  void end_flow(std::uint32_t lane) {
    const LaneState& state = state_.lanes[lane];
    const std::int64_t bytes = work_.bytes_of(state.head);
    const double left = completions_.end(lane, now_);
    if (audit_) require_delivered(state.head, bytes, left, flows_.rate(lane));
    meter_.add_bytes(work_.route_of(state.head), bytes);
    flows_.remove(lane);
  }

  void finish_head(std::uint32_t lane) {
    LaneState& state = state_.lanes[lane];
    const std::uint32_t op = state.head;
    state.phase = Phase::waiting;
    state.free_at = now_;
    finish_op(op, state.started);
    state.head = state_.next_in_lane[op];
    if (state.head != kNoOp && state_.ops[state.head] >= 0) schedule_head(lane);
  }

  void finish_join(std::uint32_t op) { finish_op(op, now_); }

  void finish_op(std::uint32_t op, std::int64_t started) {
    recorder_.record(op, state_.ops[op], started, now_);
    if (!EndsEarly<Work> || op < essential()) ++totals_.ops_done;
    totals_.finish.ps = now_;
    for (const std::uint32_t successor : work_.successors(op))
      if (++state_.ops[successor] == 0) become_ready(successor);
  }

  // Brings rates, completions and accounts up to date once all events of this instant are done.
  void share() {
    if (!flows_.pending()) return;
    ++totals_.solves;
    flows_.solve();
    completions_.update(flows_, now_, events_);
    account();
    if (audit_) flows_.audit();
  }

  void account() {
    meter_.update(flows_, now_);
    if constexpr (requires { recorder_.solved(flows_, now_); }) recorder_.solved(flows_, now_);
  }

  std::uint32_t essential() const {
    if constexpr (EndsEarly<Work>) return work_.essential();
    return work_.size();
  }

  // Looks at the watch between two instants, after 4,096 ops or 64 solves (or some of each).
  bool told_to_stop() {
    constexpr std::uint64_t kLook = 4'096;
    constexpr std::uint64_t kSolve = 64;
    const std::uint64_t work_done = totals_.ops_done + kSolve * totals_.solves;
    if (work_done < next_look_) [[likely]]
      return false;
    next_look_ = work_done + kLook;
    totals_.stopped =
        !watch_->goes_on({Stage::simulating, totals_.ops_done, essential(), Time{now_}});
    return totals_.stopped;
  }

  bool ended_early() const { return EndsEarly<Work> && totals_.ops_done == essential(); }

  // Flows still on their way carried what they carried, to the nearest byte.
  void cut_off() {
    for (std::uint32_t lane = 0; lane < state_.lanes.size(); ++lane) {
      const LaneState& state = state_.lanes[lane];
      if (state.phase != Phase::flowing) continue;
      const double left = std::max(0.0, completions_.end(lane, now_));
      const double bytes = static_cast<double>(work_.bytes_of(state.head)) - left;
      meter_.add_bytes(work_.route_of(state.head), std::llround(bytes));
      flows_.remove(lane);
    }
    if (!flows_.pending()) return;
    flows_.solve();
    account();
  }

  std::uint32_t take_join() {
    const std::uint32_t op = joins_.back();
    joins_.pop_back();
    return op;
  }

  std::uint32_t entity_of_join(std::uint32_t op) const {
    const auto& timed = state_.timed_joins;
    const auto place = std::lower_bound(timed.begin(), timed.end(), op) - timed.begin();
    return static_cast<std::uint32_t>(state_.lanes.size()) + static_cast<std::uint32_t>(place);
  }

  const Network& network_;
  const Work& work_;
  Recorder& recorder_;
  const bool audit_;
  Watch* const watch_;
  std::uint64_t next_look_;
  RunState<Work> state_;
  FairShare flows_;
  Completions completions_;
  EventQueue events_;
  DueLanes due_;
  CapacityChanges changes_;
  std::vector<std::uint32_t> joins_;  // ready at this instant
  UsageMeter meter_;
  std::int64_t now_ = 0;
  Totals totals_;
};

}  // namespace syncsim::engine
