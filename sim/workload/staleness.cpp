#include "sim/workload/staleness.h"

#include "sim/base/error.h"

namespace syncsim {

Staleness::Staleness(int bound, std::size_t workers, ScheduleBuilder& builder)
    : bound_(bound),
      workers_(workers),
      builder_(builder),
      buffer_(builder.relaxed_scratch("store", {builder.data().size()}).buffer) {}

void Staleness::pushed(std::size_t key, std::size_t part, std::size_t worker, OpId applied) {
  Pushes& pushes = pushes_[{key, part}];
  pushes.count.resize(workers_);
  pushes.last.resize(workers_);
  const std::size_t clock = pushes.count[worker]++;
  pushes.last[worker] = applied;
  if (pushes.clocks.size() <= clock) pushes.clocks.resize(clock + 1);
  pushes.clocks[clock].applied.push_back(applied);
}

std::vector<OpId> Staleness::awaited(std::size_t key, std::size_t part, std::size_t worker,
                                     ParticipantId server) {
  Pushes& pushes = pushes_.at({key, part});
  std::vector<OpId> ops{pushes.last[worker]};
  const auto behind = static_cast<std::size_t>(bound_);
  if (bound_ == kUnboundedStaleness || pushes.count[worker] <= behind) return ops;
  Clock& clock = pushes.clocks[pushes.count[worker] - 1 - behind];
  require(clock.applied.size() == workers_, "a pull before the pushes that it waits for");
  if (clock.all == kNone) clock.all = builder_.join(server, clock.applied);
  ops.push_back(clock.all);
  return ops;
}

}  // namespace syncsim
