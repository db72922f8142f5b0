#pragma once
// Threads that run a schedule's ops, again and again. Each op counts what it still waits for; who
// ends an op counts down what comes after it, goes on with the first that is ready and leaves the
// others in a queue. Computes wait in a heap by their end and hold no thread. Nothing is allocated
// while ops run.
//
// Thread safety: run() is for the thread that made the crew.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/base/watch.h"
#include "sim/exec/host/host_mover.h"
#include "sim/exec/real/op_waits.h"
#include "sim/schedule/timeline.h"

namespace syncsim {

class HostCrew {
 public:
  // Keeps references.
  HostCrew(const Schedule& schedule, HostMover& mover, int threads);
  ~HostCrew();
  HostCrew(const HostCrew&) = delete;
  HostCrew& operator=(const HostCrew&) = delete;

  // Besides the schedule: what waits, and the queue.
  static std::uint64_t needed_bytes(const Schedule& schedule);

  // Every op once, with its times. Throws Interrupted when the watch says so, InternalError when
  // ops wait for each other; the crew is of no more use then.
  Timeline run(Watch* watch);

 private:
  using Clock = std::chrono::steady_clock;
  struct Task {
    OpId op = kNone;      // kNone: go home
    bool is_due = false;  // a compute that has had its time
  };
  struct Timer {
    Time due;
    OpId op;
    bool operator>(const Timer& other) const { return due > other.due; }
  };

  Time now() const;
  void work();
  Task next_task();
  Task take_task();
  void wait(std::unique_lock<std::mutex>& lock);
  void begin();
  OpId start(OpId op);
  OpId finish(OpId op);
  void set_timer(OpId op);
  void watch_over(Watch* watch);
  std::string stalled() const;

  const Schedule& schedule_;
  HostMover& mover_;
  const std::size_t crew_;  // threads
  OpWaits waits_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> left_;  // of each op's waits
  std::vector<OpTimes> times_;
  Clock::time_point began_;
  std::atomic<std::size_t> done_;
  std::atomic<bool> closing_{false};
  std::atomic<int> timers_set_{0};

  std::mutex mutex_;  // of what follows
  std::condition_variable work_;
  std::condition_variable news_;  // all is done, or nothing can go on
  LargeVector<OpId> queue_;       // ops that were ready, in this order
  std::size_t taken_ = 0;         // of the queue
  std::size_t queued_ = 0;
  std::vector<Timer> timers_;  // a heap
  std::size_t idle_ = 0;
  bool stalled_ = false;

  std::vector<std::jthread> threads_;
};

}  // namespace syncsim
