#include "sim/cli/crew/bench.h"

#include <algorithm>
#include <utility>

#include "sim/cli/interrupt.h"

namespace syncsim::cli {
namespace {

class BenchWatch : public Watch {
 public:
  explicit BenchWatch(Bench& bench) : bench_(bench) {}
  bool goes_on(const Progress&) override { return !bench_.is_stopped(); }

 private:
  Bench& bench_;
};

void work_at(Bench& bench, const Work& work) {
  BenchWatch watch(bench);
  while (const std::optional<std::size_t> number = bench.next()) bench.put(work(*number, watch));
}

}  // namespace

std::optional<std::size_t> Bench::next() {
  const std::scoped_lock lock(mutex_);
  if (stopped_ || interrupting_signal() != 0 || taken_ == numbers_.size()) return std::nullopt;
  ++at_work_;
  return numbers_[taken_++];
}

void Bench::put(Outcome outcome) {
  const std::scoped_lock lock(mutex_);
  --at_work_;
  outcomes_.push_back(std::move(outcome));
  put_.notify_one();
}

std::vector<Outcome> Bench::outcomes(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  put_.wait_for(lock, patience, [this] { return !outcomes_.empty(); });
  return std::exchange(outcomes_, {});
}

bool Bench::is_over() {
  const std::scoped_lock lock(mutex_);
  const bool no_more = stopped_ || interrupting_signal() != 0 || taken_ == numbers_.size();
  return no_more && at_work_ == 0 && outcomes_.empty();
}

void Bench::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
}

bool Bench::is_stopped() {
  if (interrupting_signal() != 0) return true;
  const std::scoped_lock lock(mutex_);
  return stopped_;
}

Hands::Hands(std::size_t threads, Bench& bench, const Work& work) : bench_(bench) {
  for (std::size_t i = 0; i < threads; ++i)
    threads_.emplace_back([&bench, &work] { work_at(bench, work); });
}

Hands::~Hands() {
  bench_.stop();
  for (std::thread& thread : threads_) thread.join();
}

}  // namespace syncsim::cli
