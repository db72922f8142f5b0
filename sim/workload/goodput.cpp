#include "sim/workload/goodput.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "sim/base/mean_interval.h"
#include "sim/workload/failure_times.h"

namespace syncsim {
namespace {

class LongRun {
 public:
  LongRun(const GoodputInput& input, std::uint32_t replica)
      : input_(input), gaps_(input.seed, replica), pace_(input.pace(0)) {}

  GoodputRun run();

 private:
  Time next_failure();
  void advance(Time until);
  void steps(std::int64_t count);
  void keep();
  void fail();
  void recover();
  void mend();
  Time read() const;
  void change_pace();

  const GoodputInput& input_;
  FailureTimes gaps_;
  std::optional<StepPace> pace_;
  Time now_;
  Time failure_;              // the next
  std::deque<Time> repairs_;  // when lost parts are back
  int lost_ = 0;
  std::int64_t since_ = 0;  // steps since the last checkpoint
  double kept_ = 0;         // samples, up to it
  double pending_ = 0;      // since it
  bool has_checkpoint_ = false;
  int failures_ = 0;
};

GoodputRun LongRun::run() {
  const double undisturbed = seconds(input_.horizon) / seconds(pace_->step);
  failure_ = next_failure();
  while (now_ < input_.horizon && (pace_ || !repairs_.empty())) {
    const Time back = repairs_.empty() ? input_.horizon : repairs_.front();
    if (!pace_) {
      now_ = std::max(now_, back);
      if (now_ < input_.horizon) mend();
      continue;
    }
    const Time until = std::max(now_, std::min({failure_, back, input_.horizon}));
    advance(until);
    now_ = until;
    if (until == input_.horizon) break;
    if (until == failure_)
      fail();
    else
      mend();
  }
  return {(kept_ + pending_) / undisturbed, failures_};
}

Time LongRun::next_failure() {
  const double gap = gaps_.gap() * input_.mtbf / pace_->parts * 1e12;
  const double left = static_cast<double>((input_.horizon - now_).ps);
  return gap < left ? Time{now_.ps + std::max<std::int64_t>(1, std::llround(gap))} : input_.horizon;
}

// Runs whole steps and checkpoints; what is in hand at the end is cut short.
void LongRun::advance(Time until) {
  std::int64_t left = until.ps - now_.ps;
  const std::int64_t step = pace_->step.ps;
  const int every = input_.costs.checkpoints.every;
  if (left <= 0) return;
  if (every == 0 || seconds(pace_->step) * every > seconds(input_.horizon))
    return steps(left / step);
  const std::int64_t write = input_.costs.checkpoints.write.ps;
  const std::int64_t first = (every - since_) * step + write;
  if (left >= first) {
    left -= first;
    steps(every - since_);
    keep();
    const std::int64_t cycles = left / (every * step + write);
    left -= cycles * (every * step + write);
    steps(cycles * every);
    keep();
  }
  steps(std::min<std::int64_t>(every - since_, left / step));
}

void LongRun::steps(std::int64_t count) {
  since_ += count;
  pending_ += static_cast<double>(count) * pace_->samples;
}

void LongRun::keep() {
  kept_ += pending_;
  pending_ = 0;
  since_ = 0;
  has_checkpoint_ = true;
}

void LongRun::fail() {
  ++failures_;
  if (input_.costs.goes_back) {
    pending_ = 0;
    since_ = 0;
  }
  ++lost_;
  if (input_.repair) repairs_.push_back(now_ + *input_.repair);
  change_pace();
  if (!pace_)
    now_ = now_ + input_.costs.detect;
  else if (input_.recovers)
    recover();
  else
    failure_ = next_failure();
}

void LongRun::recover() {
  failure_ = next_failure();
  if (input_.meanwhile && !input_.costs.goes_back) {
    const Time noticed = std::min({now_ + input_.costs.detect, failure_, input_.horizon});
    const std::int64_t count = (noticed - now_).ps / input_.meanwhile->step.ps;
    pending_ += static_cast<double>(count) * input_.meanwhile->samples;
  }
  now_ = std::min(
      {now_ + input_.costs.detect + input_.costs.restart + read(), failure_, input_.horizon});
}

void LongRun::mend() {
  const bool stood = !pace_;
  repairs_.pop_front();
  --lost_;
  change_pace();
  if (!pace_) return;
  failure_ = next_failure();
  if (!input_.recovers && !stood) return;
  now_ =
      std::min({now_ + input_.costs.restart + (stood ? read() : Time{}), failure_, input_.horizon});
}

// Of the checkpoint that the run goes back to.
Time LongRun::read() const {
  return input_.costs.goes_back && has_checkpoint_ ? input_.costs.checkpoints.read : Time{};
}

void LongRun::change_pace() { pace_ = input_.pace(lost_); }

}  // namespace

GoodputRun goodput_run(const GoodputInput& input, std::uint32_t replica) {
  return LongRun(input, replica).run();
}

Goodput goodput(const GoodputInput& input) {
  Goodput result;
  double squares = 0;
  for (int replica = 0; replica < input.replicas; ++replica) {
    const GoodputRun run = goodput_run(input, static_cast<std::uint32_t>(replica));
    const double difference = run.goodput - result.mean;
    result.mean += difference / (replica + 1);
    squares += difference * (run.goodput - result.mean);
    result.failures += static_cast<double>(run.failures) / input.replicas;
  }
  if (input.replicas == 1) return result;
  result.half_width = half_of_95_percent(std::sqrt(squares / (input.replicas - 1)), input.replicas);
  return result;
}

double young_interval(Time write, double mtbf, Time step) {
  return step.ps > 0 ? std::sqrt(2 * seconds(write) * mtbf) / seconds(step) : 0;
}

}  // namespace syncsim
