#include "sim/exec/flow_statistics.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace syncsim {
namespace {

__extension__ using Wide = __int128;

std::vector<Time> completion_times(const Traffic& traffic, const Replay& replay) {
  std::vector<Time> result;
  result.reserve(replay.finished);
  for (std::size_t i = 0; i < traffic.flows.size(); ++i)
    if (replay.has(i)) result.push_back(replay.finishes[i] - traffic.flows[i].start);
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

double mean_slowdown(const Traffic& traffic, const Replay& replay) {
  double sum = 0;
  for (std::size_t i = 0; i < traffic.flows.size(); ++i) {
    if (!replay.has(i)) continue;
    const Time time = replay.finishes[i] - traffic.flows[i].start;
    sum += replay.alone[i].ps == 0 ? 1 : seconds(time) / seconds(replay.alone[i]);
  }
  return sum / static_cast<double>(replay.finished);
}

// Bytes, first start and last finish.
void add_extent(const Traffic& traffic, const Replay& replay, FlowStatistics& result) {
  result.first_start = {std::numeric_limits<std::int64_t>::max()};
  for (std::size_t i = 0; i < traffic.flows.size(); ++i) {
    if (!replay.has(i)) continue;
    result.bytes = result.bytes + traffic.flows[i].bytes;
    result.first_start = std::min(result.first_start, traffic.flows[i].start);
    result.last_finish = std::max(result.last_finish, replay.finishes[i]);
  }
}

}  // namespace

FlowStatistics statistics_of(const Traffic& traffic, const Replay& replay) {
  std::vector<Time> times = completion_times(traffic, replay);
  FlowStatistics result;
  if (times.empty()) return result;
  result.flows = times.size();
  add_extent(traffic, replay, result);
  result.mean = mean_of(times);
  result.mean_slowdown = mean_slowdown(traffic, replay);
  std::sort(times.begin(), times.end());
  result.median = percentile(times, 50);
  result.p99 = percentile(times, 99);
  result.maximum = times.back();
  return result;
}

}  // namespace syncsim
