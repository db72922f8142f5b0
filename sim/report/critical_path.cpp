#include "sim/report/critical_path.h"

#include <algorithm>
#include <utility>

#include "sim/exec/op_routes.h"
#include "sim/schedule/lane_index.h"

namespace syncsim {
namespace {

// Of each op the dependency that finished last (the first such one), kNone without dependencies.
std::vector<OpId> latest_dependencies(const Schedule& schedule, const Timeline& timeline) {
  std::vector<OpId> latest(schedule.ops.size(), kNone);
  for (OpId op = 0; op < schedule.ops.size(); ++op) {
    for (const OpId successor : schedule.successors(op)) {
      OpId& best = latest[successor];
      if (best == kNone || timeline.ops[op].finish > timeline.ops[best].finish) best = op;
    }
  }
  return latest;
}

OpId last_to_finish(const Timeline& timeline) {
  const auto last =
      std::max_element(timeline.ops.begin(), timeline.ops.end(),
                       [](const OpTimes& a, const OpTimes& b) { return a.finish < b.finish; });
  return static_cast<OpId>(last - timeline.ops.begin());
}

// Of each op the one before it on its lane, or kNone.
std::vector<OpId> lane_predecessors(const Schedule& schedule) {
  LaneIndex lanes;
  std::vector<OpId> last;  // of each lane
  std::vector<OpId> before(schedule.ops.size(), kNone);
  for (OpId id = 0; id < schedule.ops.size(); ++id) {
    const std::uint32_t lane = lanes.number(schedule.ops[id]);
    if (lane == kNone) continue;
    last.resize(lanes.count(), kNone);
    before[id] = std::exchange(last[lane], id);
  }
  return before;
}

class Walk {
 public:
  Walk(const Topology& topology, const Schedule& schedule, const Timeline& timeline, Rates rates)
      : schedule_(schedule),
        timeline_(timeline),
        resources_(topology, rates),
        routes_(schedule, topology, resources_),
        latest_(latest_dependencies(schedule, timeline)),
        lane_before_(lane_predecessors(schedule)) {}

  std::vector<OpId> back_from(OpId op) {
    std::vector<OpId> path;
    for (; op != kNone; op = held_up_by(op)) path.push_back(op);
    std::reverse(path.begin(), path.end());
    return path;
  }

 private:
  OpId held_up_by(OpId op) {
    const OpTimes& times = timeline_.ops[op];
    const OpId dependency = latest_[op];
    if (times.start == times.ready) return dependency;  // neither lane nor latency
    const OpId lane = lane_before_[op];
    if (lane == kNone) return dependency;
    return timeline_.ops[lane].finish > times.ready + latency(op) ? lane : dependency;
  }

  Time latency(OpId op) { return routes_.of(schedule_.ops[op]).latency; }

  const Schedule& schedule_;
  const Timeline& timeline_;
  Resources resources_;
  OpRoutes routes_;
  std::vector<OpId> latest_;
  std::vector<OpId> lane_before_;
};

}  // namespace

std::vector<OpId> critical_path(const Topology& topology, const Schedule& schedule,
                                const Timeline& timeline, Rates rates) {
  if (timeline.ops.empty()) return {};
  return Walk(topology, schedule, timeline, rates).back_from(last_to_finish(timeline));
}

}  // namespace syncsim
