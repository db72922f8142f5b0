#pragma once
// How a process waits for others: it looks again and again, and after 50 us in vain naps between
// looks, longer and longer up to 200 us. Ranks that spin take the cores from those that have
// something to do; on a network that two cores keep up, naps cost less than 1 % of the time.

#include <chrono>
#include <functional>

#include "sim/base/watch.h"

namespace syncsim {

class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Patience(Watch* watch) : watch_(watch) {}

  // Something has happened. Now and then looks at the watch.
  void moved();
  // Nothing has: goes on looking or naps, not beyond `until`. Throws Interrupted where the watch
  // says so.
  void rest(Clock::time_point until = Clock::time_point::max());
  // Until `there` says yes.
  void wait(const std::function<bool()>& there);

 private:
  void look();

  Watch* watch_;
  std::uint32_t moves_ = 0;
  bool resting_ = false;
  Clock::time_point since_;
  std::chrono::microseconds nap_{};
};

}  // namespace syncsim
