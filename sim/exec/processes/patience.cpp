#include "sim/exec/processes/patience.h"

#include <algorithm>
#include <thread>

namespace syncsim {
namespace {

constexpr std::chrono::microseconds kSpin(50);
constexpr std::chrono::microseconds kShortest(50);
constexpr std::chrono::microseconds kLongest(200);
constexpr std::uint32_t kMovesBetweenLooks = 1'024;

}  // namespace

void Patience::look() {
  const Progress progress{Stage::simulating, 0, 0, {}};
  if (watch_ != nullptr && !watch_->goes_on(progress)) throw Interrupted(progress);
}

void Patience::moved() {
  resting_ = false;
  if (++moves_ % kMovesBetweenLooks == 0) look();
}

void Patience::rest(Clock::time_point until) {
  const Clock::time_point now = Clock::now();
  if (!resting_) {
    resting_ = true;
    since_ = now;
    nap_ = kShortest;
  }
  if (now - since_ < kSpin) return;
  look();
  const Clock::time_point end = std::min(until, now + nap_);
  if (end > now) std::this_thread::sleep_until(end);
  nap_ = std::min(2 * nap_, kLongest);
}

void Patience::wait(const std::function<bool()>& there) {
  while (!there()) rest();
  moved();
}

}  // namespace syncsim
