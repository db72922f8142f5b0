#pragma once
// Where a crew's points lie before they are taken, and their outcomes after. Any thread may call.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "sim/cli/crew/crew.h"

namespace syncsim::cli {

class Bench {
 public:
  explicit Bench(std::span<const std::size_t> numbers) : numbers_(numbers) {}

  // The next point; none: all are taken, or it is time to stop.
  std::optional<std::size_t> next();
  void put(Outcome outcome);
  // Those that were put since, once there are any or the time is over.
  std::vector<Outcome> outcomes(std::chrono::milliseconds patience);
  // No point is left or at work, and no outcome lies here.
  bool is_over();
  void stop();
  bool is_stopped();

 private:
  std::mutex mutex_;
  std::condition_variable put_;
  std::span<const std::size_t> numbers_;
  std::size_t taken_ = 0;
  std::size_t at_work_ = 0;
  bool stopped_ = false;
  std::vector<Outcome> outcomes_;
};

// Threads that work at a bench until it has no more points; they are over when this is.
class Hands {
 public:
  Hands(std::size_t threads, Bench& bench, const Work& work);
  ~Hands();
  Hands(const Hands&) = delete;
  Hands& operator=(const Hands&) = delete;

 private:
  Bench& bench_;
  std::vector<std::thread> threads_;
};

}  // namespace syncsim::cli
