#include "sim/report/step_waits.h"

#include <algorithm>

namespace syncsim {
namespace {

class Gaps {
 public:
  Gaps(const Schedule& schedule, const Timeline& timeline, HeldUp& held_up, ParticipantId rank)
      : schedule_(schedule),
        timeline_(timeline),
        held_up_(held_up),
        rank_(rank),
        for_rank_(schedule.ranks) {}

  // Nothing computed at the rank from `begin` until the op started.
  void follow(OpId op, Time begin) {
    Time until = timeline_.ops[op].start;
    for (op = held_up_.by(op); op != kNone && until > begin; op = held_up_.by(op)) {
      const OpId before = held_up_.by(op);
      const Time from = std::max(begin, before == kNone ? Time{} : timeline_.ops[before].finish);
      if (from < until) add(schedule_.ops[op], until - from);
      until = std::min(until, from);
    }
  }

  StepWaits waits(Time window, Time compute, Time pause, std::int64_t steps) const {
    StepWaits waits;
    for (std::size_t rank = 0; rank < for_rank_.size(); ++rank) {
      waits.for_ranks += for_rank_[rank];
      const bool none = waits.longest == StepWaits::kNobody;
      if (for_rank_[rank] > (none ? Time{} : for_rank_[static_cast<std::size_t>(waits.longest)]))
        waits.longest = static_cast<int>(rank);
    }
    waits.transfer = {(window - compute - pause - waits.for_ranks).ps / steps};
    waits.for_ranks.ps /= steps;
    waits.pause = {pause.ps / steps};
    return waits;
  }

 private:
  void add(const Op& op, Time time) {
    const bool of_other = op.kind == OpKind::compute && op.source < schedule_.ranks &&
                          op.source != rank_ && op.channel == kComputeChannel;
    if (of_other) for_rank_[op.source] += time;
  }

  const Schedule& schedule_;
  const Timeline& timeline_;
  HeldUp& held_up_;
  ParticipantId rank_;
  std::vector<Time> for_rank_;
};

// What occupies the ranks' compute lanes in their windows.
std::vector<std::vector<OpId>> lanes_of(const Schedule& schedule, const StepPlan& plan,
                                        std::span<const StepWindow> windows) {
  struct Ops {
    OpId first;
    OpId last;
  };
  std::vector<Ops> of_rank;
  Ops all{kNone, 0};
  for (std::size_t rank = 0; rank < windows.size(); ++rank) {
    const StepWindow& window = windows[rank];
    const bool whole = window.from == StepWindow::kBegin;
    of_rank.push_back({whole ? 0 : plan.ranks[window.from][rank].backward_end + 1,
                       plan.ranks[window.last][rank].backward_end});
    all = {std::min(all.first, of_rank.back().first), std::max(all.last, of_rank.back().last)};
  }
  std::vector<std::vector<OpId>> lanes(windows.size());
  for (OpId id = all.first; id <= all.last; ++id) {
    const Op& op = schedule.ops[id];
    const bool computes = op.kind == OpKind::compute && op.channel == kComputeChannel;
    if (computes && op.source < windows.size() && id >= of_rank[op.source].first &&
        id <= of_rank[op.source].last)
      lanes[op.source].push_back(id);
  }
  return lanes;
}

// In the order of the steps, and so of ops.
std::vector<OpId> pauses_in(const StepPlan& plan, const StepWindow& window, ParticipantId rank) {
  std::vector<OpId> pauses;
  for (std::size_t step = window.first(); step <= window.last; ++step)
    if (plan.ranks[step][rank].pause != kNone) pauses.push_back(plan.ranks[step][rank].pause);
  return pauses;
}

}  // namespace

std::vector<StepWaits> step_waits(const Schedule& schedule, const StepPlan& plan,
                                  const Timeline& timeline, HeldUp& held_up,
                                  std::span<const StepWindow> windows) {
  const auto lanes = lanes_of(schedule, plan, windows);
  std::vector<StepWaits> waits;
  for (ParticipantId rank = 0; rank < windows.size(); ++rank) {
    const StepWindow& window = windows[rank];
    const std::vector<OpId> pauses = pauses_in(plan, window, rank);
    Gaps gaps(schedule, timeline, held_up, rank);
    const Time begin = window.from == StepWindow::kBegin
                           ? Time{}
                           : timeline.ops[plan.ranks[window.from][rank].backward_end].finish;
    Time free = begin;
    Time compute;
    Time pause;
    for (const OpId op : lanes[rank]) {
      gaps.follow(op, free);
      free = timeline.ops[op].finish;
      const bool pauses_now = std::binary_search(pauses.begin(), pauses.end(), op);
      (pauses_now ? pause : compute) += schedule.durations[schedule.ops[op].source_chunk];
    }
    waits.push_back(gaps.waits(free - begin, compute, pause, window.steps()));
  }
  return waits;
}

}  // namespace syncsim
