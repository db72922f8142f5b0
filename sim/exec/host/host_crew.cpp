#include "sim/exec/host/host_crew.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace syncsim {
namespace {

constexpr std::size_t kMostNamed = 4;

std::size_t computes_of(const Schedule& schedule) {
  return static_cast<std::size_t>(
      std::count_if(schedule.ops.begin(), schedule.ops.end(),
                    [](const Op& op) { return op.kind == OpKind::compute; }));
}

}  // namespace

HostCrew::HostCrew(const Schedule& schedule, HostMover& mover, int threads)
    : schedule_(schedule),
      mover_(mover),
      crew_(static_cast<std::size_t>(threads)),
      waits_(schedule),
      left_(std::make_unique<std::atomic<std::uint32_t>[]>(schedule.ops.size())),
      done_(schedule.ops.size()),
      queue_(schedule.ops.size()) {
  timers_.reserve(computes_of(schedule));
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

HostCrew::~HostCrew() {
  {
    const std::scoped_lock lock(mutex_);
    closing_ = true;
  }
  work_.notify_all();
}

std::uint64_t HostCrew::needed_bytes(const Schedule& schedule) {
  constexpr std::uint64_t kOp = 4 * sizeof(std::uint32_t);
  return capped_product(schedule.ops.size(), kOp) +
         capped_product(computes_of(schedule), sizeof(Timer));
}

Time HostCrew::now() const {
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - began_).count() *
          1'000};
}

Timeline HostCrew::run(Watch* watch) {
  // Many short runs may end before the watch is looked at while they go on.
  const Progress nothing{Stage::simulating, 0, schedule_.ops.size(), {}};
  if (watch != nullptr && !watch->goes_on(nothing)) throw Interrupted(nothing);
  times_.assign(schedule_.ops.size(), {});
  for (OpId op = 0; op < schedule_.ops.size(); ++op) left_[op] = waits_.count[op];
  begin();
  watch_over(watch);
  Timeline timeline;
  timeline.ops_done = done_;
  timeline.ops = std::move(times_);
  for (const OpTimes& times : timeline.ops)
    timeline.finish = std::max(timeline.finish, times.finish);
  return timeline;
}

// The clock begins before anybody can take the first op.
void HostCrew::begin() {
  {
    const std::scoped_lock lock(mutex_);
    done_ = taken_ = queued_ = 0;
    for (OpId op = 0; op < schedule_.ops.size(); ++op)
      if (waits_.count[op] == 0) queue_[queued_++] = op;
    began_ = Clock::now();
  }
  work_.notify_all();
}

void HostCrew::watch_over(Watch* watch) {
  constexpr std::chrono::milliseconds kBetweenLooks(50);
  const std::size_t all = schedule_.ops.size();
  std::unique_lock lock(mutex_);
  while (!news_.wait_for(lock, kBetweenLooks, [&] { return done_ == all || stalled_; })) {
    const Progress progress{Stage::simulating, done_, all, now()};
    if (watch != nullptr && !watch->goes_on(progress)) {
      closing_ = true;
      throw Interrupted(progress);
    }
  }
  if (stalled_) throw InternalError(stalled());
}

std::string HostCrew::stalled() const {
  std::string message = fmt::format("the schedule cannot finish: {} of {} ops wait for ever",
                                    schedule_.ops.size() - done_, schedule_.ops.size());
  std::size_t named = 0;
  for (OpId op = 0; op < schedule_.ops.size() && named < kMostNamed; ++op) {
    if (left_[op] == 0) continue;
    message += "\n  " + describe(schedule_, op);
    ++named;
  }
  return message;
}

void HostCrew::work() {
  for (Task task = next_task(); task.op != kNone; task = next_task()) {
    OpId op = task.is_due ? finish(task.op) : start(task.op);
    while (op != kNone && !closing_) op = start(op);
  }
}

HostCrew::Task HostCrew::next_task() {
  std::unique_lock lock(mutex_);
  while (!closing_) {
    const Task task = take_task();
    if (task.op == kNone) {
      wait(lock);
      continue;
    }
    if (!timers_.empty()) work_.notify_one();  // somebody else has to wait for the next one
    return task;
  }
  return {};
}

HostCrew::Task HostCrew::take_task() {
  if (!timers_.empty() && timers_.front().due <= now()) {
    const OpId op = timers_.front().op;
    std::pop_heap(timers_.begin(), timers_.end(), std::greater<>());
    timers_.pop_back();
    --timers_set_;
    return {op, true};
  }
  if (taken_ < queued_) return {queue_[taken_++], false};
  return {};
}

void HostCrew::wait(std::unique_lock<std::mutex>& lock) {
  if (++idle_ == crew_ && timers_.empty() && done_ < schedule_.ops.size()) {
    stalled_ = true;
    news_.notify_one();
  }
  if (timers_.empty())
    work_.wait(lock);
  else
    work_.wait_until(lock, began_ + std::chrono::nanoseconds(timers_.front().due.ps / 1'000));
  --idle_;
}

// What this thread goes on with; kNone: nothing.
OpId HostCrew::start(OpId op) {
  const Op& self = schedule_.ops[op];
  times_[op].start = now();
  if (self.kind == OpKind::compute && schedule_.durations[self.source_chunk].ps > 0) {
    set_timer(op);
    return kNone;
  }
  return finish(op);
}

void HostCrew::set_timer(OpId op) {
  const Time due = times_[op].start + schedule_.durations[schedule_.ops[op].source_chunk];
  {
    const std::scoped_lock lock(mutex_);
    timers_.push_back({due, op});
    std::push_heap(timers_.begin(), timers_.end(), std::greater<>());
    ++timers_set_;
  }
  work_.notify_one();  // whoever waits for a later one
}

OpId HostCrew::finish(OpId op) {
  mover_.perform(schedule_.ops[op]);
  const Time finished = now();
  times_[op].finish = finished;
  OpId own = kNone;
  std::unique_lock lock(mutex_, std::defer_lock);
  const auto release = [&](OpId next) {
    if (left_[next].fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    times_[next].ready = finished;
    if (own == kNone && timers_set_ == 0) {
      own = next;
      return;
    }
    if (!lock.owns_lock()) lock.lock();
    queue_[queued_++] = next;
    work_.notify_one();
  };
  for (const OpId next : schedule_.successors(op)) release(next);
  if (waits_.next_in_lane[op] != kNone) release(waits_.next_in_lane[op]);
  if (done_.fetch_add(1) + 1 == schedule_.ops.size()) {
    if (!lock.owns_lock()) lock.lock();
    news_.notify_one();
  }
  return own;
}

}  // namespace syncsim
