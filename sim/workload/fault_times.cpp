#include "sim/workload/fault_times.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/error.h"

namespace syncsim {
namespace {

// Picoseconds; what recoveries add fits into a Time.
constexpr double kMostTime = 5e18;

InputError too_long(std::int64_t step) {
  return {fmt::format("{} steps take longer than a time can say", step), "write an earlier step"};
}

std::int64_t written(std::int64_t steps, const Checkpoints& checkpoints) {
  return checkpoints.every > 0 ? steps / checkpoints.every : 0;
}

// The step in hand when the fault is noticed: steps limp on until then.
std::int64_t in_hand(const FaultInput& input, Time begin, Time noticed) {
  if (!input.limps) return input.step;
  const Checkpoints& checkpoints = input.costs.checkpoints;
  const auto is_over = [&](std::int64_t step) {  // of those from the struck one on
    const std::int64_t behind = step - input.step;
    const std::int64_t writes = written(step, checkpoints) - written(input.step, checkpoints);
    const Time since = noticed - begin - input.limps->whole;
    return behind * input.limps->step.ps + writes * checkpoints.write.ps <= since.ps;
  };
  std::int64_t first = input.step;
  std::int64_t end =
      input.step + input.costs.detect.ps / std::max<std::int64_t>(1, input.limps->step.ps) + 2;
  while (first < end) {
    const std::int64_t middle = first + (end - first) / 2;
    if (is_over(middle))
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

FaultTimes limping(const FaultInput& input, Time begin) {
  FaultTimes times;
  times.fault = begin + input.at;
  times.in_hand = times.goes_on_at = input.step;
  if (!input.limps) return times;
  times.resumed = times.fault;
  times.caught_up = begin + input.limps->whole;
  times.lost = input.limps->whole - input.before;
  return times;
}

}  // namespace

Time begin_of(std::int64_t step, Time each, const Checkpoints& checkpoints) {
  const double ps =
      static_cast<double>(step) * static_cast<double>(each.ps) +
      static_cast<double>(written(step, checkpoints)) * static_cast<double>(checkpoints.write.ps);
  if (ps > kMostTime) throw too_long(step);
  return {step * each.ps + written(step, checkpoints) * checkpoints.write.ps};
}

FaultTimes fault_times(const FaultInput& input) {
  const Checkpoints& checkpoints = input.costs.checkpoints;
  const Time begin = begin_of(input.step, input.before, checkpoints);
  if (!input.after) return limping(input, begin);
  FaultTimes times;
  times.fault = begin + input.at;
  times.noticed = times.fault + input.costs.detect;
  times.in_hand = in_hand(input, begin, *times.noticed);
  const std::int64_t kept =
      checkpoints.every > 0 ? times.in_hand / checkpoints.every * checkpoints.every : 0;
  times.goes_on_at = input.costs.goes_back ? kept : times.in_hand;
  const bool reads = input.costs.goes_back && kept > 0;
  times.resumed = *times.noticed + input.costs.restart + (reads ? checkpoints.read : Time{});
  if (static_cast<double>(times.again() + 1) * static_cast<double>(input.after->ps) > kMostTime / 4)
    throw too_long(times.again());
  times.caught_up = {times.resumed->ps + (times.again() + 1) * input.after->ps};
  times.lost = *times.caught_up - begin_of(times.in_hand, input.before, checkpoints) - input.before;
  return times;
}

}  // namespace syncsim
