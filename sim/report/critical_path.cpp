#include "sim/report/critical_path.h"

#include <algorithm>

#include "sim/report/held_up.h"

namespace syncsim {
namespace {

OpId last_to_finish(const Timeline& timeline) {
  const auto last =
      std::max_element(timeline.ops.begin(), timeline.ops.end(),
                       [](const OpTimes& a, const OpTimes& b) { return a.finish < b.finish; });
  return static_cast<OpId>(last - timeline.ops.begin());
}

}  // namespace

std::vector<OpId> critical_path(const Topology& topology, const Schedule& schedule,
                                const Timeline& timeline, Rates rates) {
  if (timeline.ops.empty()) return {};
  HeldUp held_up(topology, schedule, timeline, rates);
  std::vector<OpId> path;
  for (OpId op = last_to_finish(timeline); op != kNone; op = held_up.by(op)) path.push_back(op);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace syncsim
