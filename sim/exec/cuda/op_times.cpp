// What the stamps of a launch say of its ops.

#include <algorithm>
#include <cmath>

#include "sim/exec/cuda/graph_runner.h"
#include "sim/exec/real/op_waits.h"
#include "sim/schedule/check_order.h"

namespace syncsim {
namespace {

void put_in_order(const Schedule& schedule, std::vector<OpTimes>& times) {
  const checking::Order order(schedule);
  const OpWaits waits(schedule);
  for (std::uint32_t position = 0; position < schedule.ops.size(); ++position) {
    const OpId op = order.at(position);
    OpTimes& own = times[op];
    own.start = std::max(own.start, own.ready);
    own.finish = std::max(own.finish, own.start);
    const auto release = [&](OpId next) {
      times[next].ready = std::max(times[next].ready, own.finish);
    };
    for (const OpId next : schedule.successors(op)) release(next);
    if (waits.next_in_lane[op] != kNone) release(waits.next_in_lane[op]);
  }
}

}  // namespace

Timeline timeline_of(const Schedule& schedule, const GraphPlan& stamped,
                     const std::vector<Time>& stamps) {
  Timeline timeline;
  timeline.ops_done = schedule.ops.size();
  for (OpId op = 0; op < schedule.ops.size(); ++op) {
    const GraphPlan::OpNodes& own = stamped.ops[op];
    const Time first = stamps[stamped.nodes[own.first].stamp];
    timeline.ops.push_back({{0}, first, stamps[stamped.nodes[own.last].stamp]});
  }
  if (timeline.ops.empty()) return timeline;
  const Time earliest =
      std::min_element(timeline.ops.begin(), timeline.ops.end(),
                       [](const OpTimes& a, const OpTimes& b) { return a.start < b.start; })
          ->start;
  for (OpTimes& times : timeline.ops) {
    times.start = times.start - earliest;
    times.finish = times.finish - earliest;
  }
  put_in_order(schedule, timeline.ops);
  for (const OpTimes& times : timeline.ops)
    timeline.finish = std::max(timeline.finish, times.finish);
  return timeline;
}

Timeline drawn_to(Timeline timeline, Time whole) {
  const Time end = timeline.finish;
  const double scale = end.ps == 0 ? 0 : seconds(whole) / seconds(end);
  const auto draw = [&](Time& time) {
    const Time drawn{std::llround(static_cast<double>(time.ps) * scale)};
    time = time == end ? whole : std::min(whole, drawn);
  };
  for (OpTimes& times : timeline.ops) {
    const bool idle = end.ps == 0;  // all that there is to say is when they were done
    if (!idle) draw(times.ready);
    if (!idle) draw(times.start);
    draw(times.finish);
  }
  timeline.finish = whole;
  return timeline;
}

}  // namespace syncsim
