#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/base/error.h"
#include "sim/schedule/check_order.h"
#include "sim/schedule/msccl/steps.h"

namespace syncsim::msccl {

std::vector<std::vector<OpId>> waits_without_joins(const Schedule& schedule) {
  constexpr std::size_t kMost = std::size_t{1} << 24;
  checking::Order order(schedule);
  require(order.complete(), "a schedule with a cycle is written as a plan");
  std::vector<std::vector<OpId>> waits(schedule.ops.size());
  std::size_t count = 0;
  for (OpId position = 0; position < schedule.ops.size(); ++position) {
    const OpId id = order.at(position);
    std::sort(waits[id].begin(), waits[id].end());
    waits[id].erase(std::unique(waits[id].begin(), waits[id].end()), waits[id].end());
    const bool is_join = only_waits(schedule.ops[id]);
    for (const OpId after : schedule.successors(id)) {
      count += is_join ? waits[id].size() : 1;
      if (count > kMost) throw InputError("too many ops wait for too many others", "write .json");
      if (is_join)
        waits[after].insert(waits[after].end(), waits[id].begin(), waits[id].end());
      else
        waits[after].push_back(id);
    }
  }
  return waits;
}

namespace {

class TurnTaker {
 public:
  TurnTaker(const Schedule& schedule, const std::vector<std::vector<OpId>>& waits)
      : schedule_(schedule),
        waits_(waits),
        turns_{std::vector<bool>(waits.size()), std::vector<bool>(waits.size()),
               std::vector<std::vector<OpId>>(waits.size())} {}

  Turns run(const Units& units) {
    const checking::Order order(schedule_);
    for (OpId position = 0; position < waits_.size(); ++position) {
      const OpId id = order.at(position);
      if (only_waits(schedule_.ops[id])) continue;
      const UnitRange to = units.destination(schedule_.ops[id]);
      for (std::uint32_t i = 0; i < to.count; ++i)
        write(id, {schedule_.ops[id].destination, to.first.space,
                   to.first.chunk + static_cast<std::int32_t>(i)});
    }
    return std::move(turns_);
  }

 private:
  using Chunk = std::tuple<ParticipantId, Space, std::int32_t>;

  void write(OpId id, const Chunk& chunk) {
    const Op& op = schedule_.ops[id];
    const bool adds = op.kind == OpKind::reduce;
    const auto [known, is_new] = adders_.try_emplace(chunk, kNone);
    if (adds && is_new && op.destination_buffer != 0) turns_.first[id] = true;
    const OpId before = std::exchange(known->second, adds ? id : kNone);
    if (!adds || before == kNone || are_ordered(before, id)) return;
    turns_.apart[id] = op.source != op.destination;
    turns_.before[id].push_back(before);
  }

  bool are_ordered(OpId before, OpId id) const {
    return checking::on_one_lane(schedule_.ops[before], schedule_.ops[id]) ||
           std::binary_search(waits_[id].begin(), waits_[id].end(), before);
  }

  const Schedule& schedule_;
  const std::vector<std::vector<OpId>>& waits_;
  Turns turns_;
  std::map<Chunk, OpId> adders_;  // of chunks that were written: the latest since a copy, or kNone
};

}  // namespace

Turns take_turns(const Schedule& schedule, const std::vector<std::vector<OpId>>& waits,
                 const Units& units) {
  return TurnTaker(schedule, waits).run(units);
}

}  // namespace syncsim::msccl
