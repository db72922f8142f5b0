#include "sim/report/held_up.h"

#include <utility>

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

}  // namespace

HeldUp::HeldUp(const Topology& topology, const Schedule& schedule, const Timeline& timeline,
               Rates rates, std::uint32_t seed)
    : schedule_(schedule),
      timeline_(timeline),
      resources_(topology, rates),
      routes_(schedule, topology, resources_, seed),
      latest_(latest_dependencies(schedule, timeline)),
      lane_before_(lane_predecessors(schedule)) {}

OpId HeldUp::by(OpId op) {
  const OpTimes& times = timeline_.ops[op];
  const OpId dependency = latest_[op];
  if (times.start == times.ready) return dependency;  // neither lane nor latency
  const OpId lane = lane_before_[op];
  if (lane == kNone) return dependency;
  const Time latency = routes_.of(schedule_.ops[op]).latency;
  return timeline_.ops[lane].finish > times.ready + latency ? lane : dependency;
}

}  // namespace syncsim
