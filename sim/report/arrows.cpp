#include "sim/report/arrows.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace syncsim {
namespace {

bool is_join(const Schedule& schedule, OpId op) { return schedule.ops[op].kind == OpKind::join; }

// Of each join the dependency that finished last, the first such one; kNone for all others.
std::vector<OpId> awaited_by_joins(const Schedule& schedule, const Timeline& timeline) {
  std::vector<OpId> last(schedule.ops.size(), kNone);
  for (OpId op = 0; op < schedule.ops.size(); ++op)
    for (const OpId next : schedule.successors(op)) {
      if (!is_join(schedule, next)) continue;
      if (last[next] == kNone || timeline.ops[op].finish > timeline.ops[last[next]].finish)
        last[next] = op;
    }
  return last;
}

}  // namespace

Arrows::Arrows(const Schedule& schedule, const Timeline& timeline) {
  const std::vector<OpId> awaited = awaited_by_joins(schedule, timeline);
  const auto without_joins = [&](OpId op) {
    while (op != kNone && is_join(schedule, op)) op = awaited[op];
    return op;
  };
  for (OpId op = 0; op < schedule.ops.size(); ++op) {
    const OpId from = without_joins(op);
    for (const OpId to : schedule.successors(op))
      if (from != kNone && !is_join(schedule, to)) arrows_.push_back({from, to});
  }
  std::sort(arrows_.begin(), arrows_.end(), [](const Arrow& a, const Arrow& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
  by_end_.resize(arrows_.size());
  std::iota(by_end_.begin(), by_end_.end(), 0u);
  std::stable_sort(by_end_.begin(), by_end_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return arrows_[a].to < arrows_[b].to; });
}

std::size_t Arrows::first_from(OpId op) const {
  const auto at = std::lower_bound(arrows_.begin(), arrows_.end(), op,
                                   [](const Arrow& a, OpId id) { return a.from < id; });
  return static_cast<std::size_t>(at - arrows_.begin());
}

std::size_t Arrows::first_to(OpId op) const {
  const auto at =
      std::lower_bound(by_end_.begin(), by_end_.end(), op,
                       [&](std::uint32_t number, OpId id) { return arrows_[number].to < id; });
  return static_cast<std::size_t>(at - by_end_.begin());
}

}  // namespace syncsim
