#include "sim/exec/flow_statistics.h"

#include <algorithm>
#include <vector>

namespace syncsim {
namespace {

__extension__ using Wide = __int128;

std::vector<Time> completion_times(const Traffic& traffic, const Replay& replay) {
  std::vector<Time> result;
  result.reserve(traffic.flows.size());
  for (std::size_t i = 0; i < traffic.flows.size(); ++i)
    result.push_back(replay.finishes[i] - traffic.flows[i].start);
  return result;
}

Time mean_of(const std::vector<Time>& times) {
  Wide sum = 0;
  for (const Time time : times) sum += time.ps;
  const Wide count = static_cast<Wide>(times.size());
  return {static_cast<std::int64_t>((sum + count / 2) / count)};
}

Time percentile(const std::vector<Time>& sorted, std::size_t percent) {
  return sorted[(sorted.size() * percent + 99) / 100 - 1];
}

double mean_slowdown(const std::vector<Time>& times, const std::vector<Time>& alone) {
  double sum = 0;
  for (std::size_t i = 0; i < times.size(); ++i)
    sum += alone[i].ps == 0 ? 1 : seconds(times[i]) / seconds(alone[i]);
  return sum / static_cast<double>(times.size());
}

}  // namespace

FlowStatistics statistics_of(const Traffic& traffic, const Replay& replay) {
  std::vector<Time> times = completion_times(traffic, replay);
  FlowStatistics result;
  result.flows = times.size();
  result.bytes = traffic.bytes;
  result.first_start = traffic.flows.front().start;
  for (const Flow& flow : traffic.flows)
    result.first_start = std::min(result.first_start, flow.start);
  result.last_finish = *std::max_element(replay.finishes.begin(), replay.finishes.end());
  result.mean = mean_of(times);
  result.mean_slowdown = mean_slowdown(times, replay.alone);
  std::sort(times.begin(), times.end());
  result.median = percentile(times, 50);
  result.p99 = percentile(times, 99);
  result.maximum = times.back();
  return result;
}

}  // namespace syncsim
