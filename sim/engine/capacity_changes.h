#pragma once
// Capacities that change while a run goes on (rule 10 of the engine).

#include <cstdint>
#include <limits>
#include <span>

#include "sim/engine/network.h"

namespace syncsim::engine {

struct CapacityChange {
  std::int64_t time = 0;  // picoseconds
  ResourceIndex resource = 0;
  double capacity = 0;  // from then on, bytes per second; 0: its flows stall
};

// The changes of a run that are still to come. Invariants: times are at least 0, (time, resource)
// ascends strictly, capacities are finite and at least 0.
class CapacityChanges {
 public:
  // Throws InternalError when an invariant does not hold. The changes must outlive this.
  CapacityChanges(const Network& network, std::span<const CapacityChange> changes);

  bool empty() const { return left_.empty(); }
  std::int64_t next_time() const { return next_time_; }  // int64's last when none is left
  // Those of the next instant, which are no longer to come.
  std::span<const CapacityChange> take();

 private:
  static constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();
  std::int64_t first_time() const { return left_.empty() ? kEnd : left_.front().time; }

  std::span<const CapacityChange> left_;
  std::int64_t next_time_ = kEnd;
};

}  // namespace syncsim::engine
